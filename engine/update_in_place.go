package engine

import (
	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// Pods that are updated in place. One write brings labels and annotations together with the label of the revision, so an adapter that is
// killed has done either all of it or nothing. Whatever holds back the deletion of an outdated pod holds back this, too, but for the budget: the
// containers run on, and the pod stays as available as it is. Where images or resources change it takes more writes, see inplace/images.go, and where
// containers start again the budget holds.

// updatesInPlace reports whether a pod is updated in place to a revision. Under InPlaceIfPossible a pod that a repair would replace is not: what was
// wrong may have been read when it was made, and it costs nothing. One that served before its images were changed was made well.
func (v *view) updatesInPlace(p *model.Pod, to state.RevisionChoice) bool {
	return v.MayStay(p) && (v.InPlace == inplace.InPlaceOnly || !v.mayRepair(p) || v.UnderWay(p) && !p.NeverReady()) && v.DifferenceTo(p, to).InPlace()
}

// costsNothing reports whether an update takes no pod away: it is in place and starts no container anew, or it is held. With a gate after it the pod
// still takes its turn, because it counts as unavailable until somebody agrees.
func (v *view) costsNothing(p *model.Pod) bool {
	switch {
	case !v.MayStay(p) || v.Gates.After.Text != "":
		return false
	case v.updatesInPlace(p, v.Update):
		return !v.DifferenceTo(p, v.Update).Restarts()
	}
	return v.InPlace == inplace.InPlaceOnly
}

// updateInPlace updates an outdated pod in place, if that is possible. kept: the pod is not to be deleted now; done: it is updated.
func (v *view) updateInPlace(step *model.Step, p *model.Pod, to state.RevisionChoice, repair bool, out *state.Draft) (kept, done bool) {
	if !v.updatesInPlace(p, to) {
		if v.InPlace != inplace.InPlaceOnly || !v.MayStay(p) {
			return false, false
		}
		if out.Count(model.BlockUpdateNotInPlace) == 0 {
			out.Block(inplace.BlockNotInPlace(p, v.SpecOf(p), v.DifferenceTo(p, to), v.Asks(policy.InPlace), to.Name))
		}
		return true, false
	}
	if v.kept(taking{p, to.Name, repair}, out) != nil {
		return true, false
	}
	if state.ControllerOf(p.Owners) == nil {
		return true, false // the plan adopts it first, and it then has another resource version
	}
	a := model.Action{Kind: model.KindPod, Name: p.Name, UID: p.UID, ResourceVersion: p.ResourceVersion, Op: model.UpdatePod{}, Cause: causeInPlace(p, to.Name)}
	if !out.Fits(&a) {
		return true, false
	}
	d := v.DifferenceTo(p, to)
	first := v.TakesMark(p, d)
	switch {
	case first:
		a.Op, a.Cause = inplace.Mark(), causeMark(p, d, to.Name)
	case v.GoesInSteps(p, d):
		a.Op, a.Cause = v.Start(p, d, to.Name), causeStart(v.SpecOf(p), v.UnderWay(p), d, to.Name)
	default:
		a.Op = operationOf(d, to.Name)
	}
	if done = out.Emit(step, a, to.Name); done {
		out.NoteUpdated(p, first)
		if !first && d.Restarts() {
			out.NoteRestart(p)
		}
	}
	return true, done
}

// operationOf is the write that brings a pod to the other revision, where no image differs.
func operationOf(d *podtemplate.Difference, revision string) model.UpdatePod {
	op := inplace.MetadataOf(d)
	op.Labels = inplace.WithEntry(op.Labels, model.LabelRevision, revision)
	return op
}
