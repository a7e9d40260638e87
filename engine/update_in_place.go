package engine

import "github.com/setplan/setplan/engine/model"

// Pods that are updated in place. One write brings labels and annotations together with the label of the revision, so an adapter that is
// killed has done either all of it or nothing. Whatever holds back the deletion of an outdated pod holds back this, too, but for the budget: the
// containers run on, and the pod stays as available as it is. Where images or resources change it takes more writes, see in_place_images.go, and where
// containers start again the budget holds.

// updatesInPlace reports whether a pod is updated in place to a revision. Under InPlaceIfPossible a pod that a repair would replace is not: what was
// wrong may have been read when it was made, and it costs nothing. One that served before its images were changed was made well.
func (v *view) updatesInPlace(p *model.Pod, to revisionChoice) bool {
	return v.mayStay(p) && (v.inPlace == inPlaceOnly || !v.mayRepair(p) || v.underWay(p) && !p.NeverReady()) && v.differenceTo(p, to).inPlace()
}

// costsNothing reports whether an update takes no pod away: it is in place and starts no container anew, or it is held. With a gate after it the pod
// still takes its turn, because it counts as unavailable until somebody agrees.
func (v *view) costsNothing(p *model.Pod) bool {
	switch {
	case !v.mayStay(p) || v.gates.after.text != "":
		return false
	case v.updatesInPlace(p, v.update):
		return !v.differenceTo(p, v.update).restarts()
	}
	return v.inPlace == inPlaceOnly
}

// updateInPlace updates an outdated pod in place, if that is possible. kept: the pod is not to be deleted now; done: it is updated.
func (v *view) updateInPlace(step *model.Step, p *model.Pod, to revisionChoice, repair bool, out *draft) (kept, done bool) {
	if !v.updatesInPlace(p, to) {
		if v.inPlace != inPlaceOnly || !v.mayStay(p) {
			return false, false
		}
		if out.counted(model.BlockUpdateNotInPlace).all == 0 {
			out.block(blockNotInPlace(p, v.specOf(p), v.differenceTo(p, to), v.asks(annotationInPlace), to.name))
		}
		return true, false
	}
	if v.kept(taking{p, to.name, repair}, out) != nil {
		return true, false
	}
	if controllerOf(p.Owners) == nil {
		return true, false // the plan adopts it first, and it then has another resource version
	}
	a := model.Action{Kind: model.KindPod, Name: p.Name, UID: p.UID, ResourceVersion: p.ResourceVersion, Op: model.UpdatePod{}, Cause: causeInPlace(p, to.name)}
	if !out.fits(&a) {
		return true, false
	}
	d := v.differenceTo(p, to)
	first := v.takesMark(p, d)
	switch {
	case first:
		a.Op, a.Cause = mark(), causeMark(p, d, to.name)
	case v.goesInSteps(p, d):
		a.Op, a.Cause = v.start(p, d, to.name), causeStart(v.specOf(p), v.underWay(p), d, to.name)
	default:
		a.Op = d.operation(to.name)
	}
	if done = out.emit(step, a, to.name); done {
		out.noteUpdated(p, first)
		if !first && d.restarts() {
			out.noteRestart(p)
		}
	}
	return true, done
}

// operation is the write that brings a pod to the other revision, where no image differs.
func (d *difference) operation(revision string) model.UpdatePod {
	op := d.metadata()
	op.Labels = withEntry(op.Labels, model.LabelRevision, revision)
	return op
}
