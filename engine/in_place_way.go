package engine

import "github.com/setplan/setplan/engine/model"

// mayStay reports whether an outdated pod is left to run. A pod that somebody wants recreated is not, nor one that has ended. One whose file
// system needs a new pod is, if the set keeps its pods: the new pod would run what is held back.
func (v *view) mayStay(p *model.Pod) bool {
	return v.inPlace != inPlaceNever && !v.chosen(p) && !p.HasEnded() && (v.inPlace == inPlaceOnly || !v.growingAt(p))
}

// growingAt reports whether a pod is recreated so that a file system grows.
func (v *view) growingAt(p *model.Pod) bool {
	if len(v.growing) == 0 {
		return false
	}
	ordinal, ok := v.ordinalOf(p)
	slot, inRange := v.slotOf(ordinal)
	return ok && inRange && v.growing[slot]
}

// staysOnItsWay reports whether what is under way in a pod goes on: the set updates in place, and nothing asks for another pod.
func (v *view) staysOnItsWay(p *model.Pod) bool {
	f := v.flightOf(p)
	return f != nil && !f.unreadable && p.Containers != nil && !p.Terminating() && v.mayStay(p) && v.knowsRevision(f.revision)
}

// knowsRevision reports whether a revision is stored, or will be.
func (v *view) knowsRevision(revision string) bool {
	v.compared.begin(v)
	return v.compared.stored[revision] != nil || revision == v.update.name
}

// onItsWay reports whether a pod is on its way to a revision, so that there is nothing to do but to wait.
func (v *view) onItsWay(p *model.Pod, revision string) bool {
	return p.Annotations != nil && v.specOf(p) == revision && v.staysOnItsWay(p) && !v.recreatesRefused(p)
}

// unconfirmed reports whether a pod is updated, or is on its way there, and nobody has agreed yet that the update goes on. It counts as
// unavailable. One that the set goes on without is not waited for.
func (v *view) unconfirmed(p *model.Pod) bool {
	return v.gates.after.text != "" && p != nil && (p.Revision == v.update.name || v.onItsWay(p, v.update.name) && !v.keepsRefused(p)) && !v.saysItself(p, annotationAfter, v.update.name)
}

// goesElsewhere reports whether a pod that is on its way is to go to another revision in its turn.
func (v *view) goesElsewhere(slot int, f *flight) bool {
	return f.revision != v.update.name && slot >= v.belowPartition && !v.updatedByHand()
}

// absent reports whether a replica counts against the budget of updates: it is not available, or its containers may be about to start again.
func (v *view) absent(p *model.Pod) bool {
	return v.unavailable(p) || p.Annotations != nil && v.startingAnew(p)
}

// startingAnew reports whether containers of a pod may be about to start again. That they run what they should is known for sure once the label
// says so. A record that cannot be read announces nothing: such a pod is outdated, and as available as any.
func (v *view) startingAnew(p *model.Pod) bool {
	f := v.flightOf(p)
	return f != nil && !f.unreadable && f.restarts()
}

// unreadDifference is that of a pod of which nobody knows what it runs.
var unreadDifference = &difference{unknown: true, unread: true}

// refusedDifference is that of a pod that does not get what it is to have while it runs: its node or the API server refuses that.
var refusedDifference = &difference{field: "spec.containers"}

// differenceTo is what it takes to bring a pod to a revision.
func (v *view) differenceTo(p *model.Pod, to revisionChoice) *difference {
	f := v.flightOf(p)
	if f != nil && (f.unreadable || p.Containers == nil) {
		return unreadDifference
	}
	if f != nil && f.revision == to.name && v.recreatesRefused(p) {
		return refusedDifference
	}
	c := &v.compared
	c.begin(v)
	key := [2]string{v.specOf(p), to.name}
	if c.of[key] == nil {
		d := v.compareRevisions(key[0], to)
		c.of[key] = &d
	}
	switch d := c.of[key]; {
	case !d.ofContainers() || !isMarked(p):
		return d
	case !v.showsAll(p, d):
		return unreadDifference
	case len(d.resources) > 0 && !v.takes(p, d):
		return refusedDifference
	default:
		return d
	}
}

// takes reports whether a pod may get the resources in which two revisions differ.
func (v *view) takes(p *model.Pod, d *difference) bool {
	return takesAmounts(p.Containers, d.resources, d.startsForResources)
}

// showsAll reports whether the snapshot shows all containers of a pod that change.
func (v *view) showsAll(p *model.Pod, d *difference) bool {
	shown := v.shownOf(p)
	for name := range d.images {
		if shown[name] == nil {
			return false
		}
	}
	for of := range d.resources {
		if shown[of.container] == nil {
			return false
		}
	}
	return true
}
