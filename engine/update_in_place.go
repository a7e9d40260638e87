package engine

import (
	"slices"
	"strings"
)

// Pods that are updated in place. One write brings labels and annotations together with the label of the revision, so an adapter that is
// killed has done either all of it or nothing. Whatever holds back the deletion of an outdated pod holds back this, too, but for the budget: the
// containers run on, and the pod stays as available as it is.

// mayStay reports whether an outdated pod is left to run. A pod that somebody wants recreated is not, nor one that has ended. One whose file
// system needs a new pod is, if the set keeps its pods: the new pod would run what is held back.
func (v *view) mayStay(p *Pod) bool {
	return v.inPlace != inPlaceNever && !p.chosen() && !p.ended() && (v.inPlace == inPlaceOnly || !v.growingAt(p))
}

// growingAt reports whether a pod is recreated so that a file system grows.
func (v *view) growingAt(p *Pod) bool {
	if len(v.growing) == 0 {
		return false
	}
	ordinal, ok := v.ordinalOf(p)
	slot, inRange := v.slotOf(ordinal)
	return ok && inRange && v.growing[slot]
}

// updatesInPlace reports whether a pod is updated in place to a revision. Under InPlaceIfPossible a pod that a repair would replace is not: what was
// wrong may have been read when it was made, and it costs nothing.
func (v *view) updatesInPlace(p *Pod, to revisionChoice) bool {
	return v.mayStay(p) && (v.inPlace == inPlaceOnly || !v.mayRepair(p)) && v.differenceTo(p, to).inPlace()
}

// costsNothing reports whether an update takes no pod away: it is in place, or held. With a gate after it the pod still takes its turn, because
// it counts as unavailable until somebody agrees.
func (v *view) costsNothing(p *Pod) bool {
	return v.mayStay(p) && v.gates.after.text == "" && (v.inPlace == inPlaceOnly || v.updatesInPlace(p, v.update))
}

// updateInPlace updates an outdated pod in place, if that is possible. kept: the pod is not to be deleted now; done: it is updated.
func (v *view) updateInPlace(step *Step, p *Pod, to revisionChoice, out *draft) (kept, done bool) {
	if !v.updatesInPlace(p, to) {
		if v.inPlace != inPlaceOnly || !v.mayStay(p) {
			return false, false
		}
		if out.counted(BlockUpdateNotInPlace).all == 0 {
			out.block(blockNotInPlace(p, v.differenceTo(p, to), v.asks(annotationInPlace), to.name))
		}
		return true, false
	}
	if !v.mayLeave(p, to.name, out) {
		return true, false
	}
	if v.controllerOf(p.Owners) == nil {
		return true, false // the plan adopts it first, and it then has another resource version
	}
	a := Action{Kind: KindPod, Name: p.Name, UID: p.UID, ResourceVersion: p.ResourceVersion, Op: UpdatePod{}, Cause: causeInPlace(p, to.name)}
	if !out.fits(&a) {
		return true, false
	}
	a.Op = v.differenceTo(p, to).operation(to.name)
	if done = out.emit(step, a, to.name); done {
		if out.updated == nil {
			out.updated = map[string]bool{}
		}
		out.updated[p.UID] = true
	}
	return true, done
}

// operation is the write that brings a pod to the other revision.
func (d *difference) operation(revision string) UpdatePod {
	at, _ := slices.BinarySearchFunc(d.labels.set, labelRevision, func(l KeyValue, key string) int { return strings.Compare(l.Key, key) })
	return UpdatePod{Labels: slices.Insert(slices.Clone(d.labels.set), at, KeyValue{labelRevision, revision}), RemoveLabels: d.labels.remove,
		Annotations: d.annotations.set, RemoveAnnotations: d.annotations.remove}
}
