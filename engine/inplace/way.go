package inplace

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// MayStay reports whether an outdated pod is left to run. A pod that somebody wants recreated is not, nor one that has ended. One whose file
// system needs a new pod is, if the set keeps its pods: the new pod would run what is held back.
func (v *Pods) MayStay(p *model.Pod) bool {
	return v.InPlace != InPlaceNever && !v.Chosen(p) && !p.HasEnded() && (v.InPlace == InPlaceOnly || !v.growingAt(p))
}

// growingAt reports whether a pod is recreated so that a file system grows.
func (v *Pods) growingAt(p *model.Pod) bool {
	if len(v.Growing) == 0 {
		return false
	}
	ordinal, ok := v.OrdinalOf(p)
	slot, inRange := v.SlotOf(ordinal)
	return ok && inRange && v.Growing[slot]
}

// StaysOnItsWay reports whether what is under way in a pod goes on: the set updates in place, and nothing asks for another pod.
func (v *Pods) StaysOnItsWay(p *model.Pod) bool {
	f := v.FlightOf(p)
	return f != nil && !f.Unreadable && p.Containers != nil && !p.Terminating() && v.MayStay(p) && v.knowsRevision(f.Revision)
}

// knowsRevision reports whether a revision is stored, or will be.
func (v *Pods) knowsRevision(revision string) bool {
	v.compared.begin(v)
	return v.compared.stored[revision] != nil || revision == v.Update.Name
}

// OnItsWay reports whether a pod is on its way to a revision, so that there is nothing to do but to wait.
func (v *Pods) OnItsWay(p *model.Pod, revision string) bool {
	return p.Annotations != nil && v.SpecOf(p) == revision && v.StaysOnItsWay(p) && !v.RecreatesRefused(p)
}

// Unconfirmed reports whether a pod is updated, or is on its way there, and nobody has agreed yet that the update goes on. It counts as
// unavailable. One that the set goes on without is not waited for.
func (v *Pods) Unconfirmed(p *model.Pod) bool {
	return v.Gates.After.Text != "" && p != nil && (p.Revision == v.Update.Name || v.OnItsWay(p, v.Update.Name) && !v.KeepsRefused(p)) && !v.SaysItself(p, policy.After, v.Update.Name)
}

// GoesElsewhere reports whether a pod that is on its way is to go to another revision in its turn.
func (v *Pods) GoesElsewhere(slot int, f *Flight) bool {
	return f.Revision != v.Update.Name && slot >= v.BelowPartition && !v.UpdatedByHand()
}

// Absent reports whether a replica counts against the budget of updates: it is not available, or its containers may be about to start again.
func (v *Pods) Absent(p *model.Pod) bool {
	return v.Unavailable(p) || p.Annotations != nil && v.StartingAnew(p)
}

// StartingAnew reports whether containers of a pod may be about to start again. That they run what they should is known for sure once the label
// says so. A record that cannot be read announces nothing: such a pod is outdated, and as available as any.
func (v *Pods) StartingAnew(p *model.Pod) bool {
	f := v.FlightOf(p)
	return f != nil && !f.Unreadable && f.Restarts()
}

// unreadDifference is used where it is unknown what a pod runs.
var unreadDifference = &podtemplate.Difference{Unknown: true, Unread: true}

// RefusedDifference is that of a pod that does not get what it is to have while it runs: its node or the API server refuses that.
var RefusedDifference = &podtemplate.Difference{Field: "spec.containers"}

// DifferenceTo is what it takes to bring a pod to a revision.
func (v *Pods) DifferenceTo(p *model.Pod, to state.RevisionChoice) *podtemplate.Difference {
	f := v.FlightOf(p)
	if f != nil && (f.Unreadable || p.Containers == nil) {
		return unreadDifference
	}
	if f != nil && f.Revision == to.Name && v.RecreatesRefused(p) {
		return RefusedDifference
	}
	c := &v.compared
	c.begin(v)
	key := [2]string{v.SpecOf(p), to.Name}
	if c.of[key] == nil {
		d := v.compareRevisions(key[0], to)
		c.of[key] = &d
	}
	switch d := c.of[key]; {
	case !d.OfContainers() || !IsMarked(p):
		return d
	case !v.showsAll(p, d):
		return unreadDifference
	case len(d.Resources) > 0 && !v.takes(p, d):
		return RefusedDifference
	default:
		return d
	}
}

// takes reports whether a pod may get the resources in which two revisions differ.
func (v *Pods) takes(p *model.Pod, d *podtemplate.Difference) bool {
	return takesAmounts(p.Containers, d.Resources, d.StartsForResources)
}

// showsAll reports whether the snapshot shows all containers of a pod that change.
func (v *Pods) showsAll(p *model.Pod, d *podtemplate.Difference) bool {
	shown := v.shownOf(p)
	for name := range d.Images {
		if shown[name] == nil {
			return false
		}
	}
	for of := range d.Resources {
		if shown[of.Container] == nil {
			return false
		}
	}
	return true
}
