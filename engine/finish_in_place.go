package engine

import "github.com/setplan/setplan/engine/model"

// goOnInPlace goes on with what is under way in pods of the range, and finishes it as far as it is known to be done. It waits for nothing: these pods
// have had their turn, and none is taken away. again is what has failed before: a quota may refuse it for days, and it comes after all that
// other pods are to get, whatever becomes of that.
func goOnInPlace(v *view, out *draft) (again model.Stage) {
	stage := model.Stage{Phase: model.PhaseUpdate, OnFailure: model.Stop, AlwaysRun: out.stuck()}
	var refused aside
	again = model.Stage{Phase: model.PhaseUpdate, OnFailure: model.SkipPhase, AlwaysRun: true}
	if v.inPlace == inPlaceNever || v.paused >= pauseUpdates {
		return again
	}
	out.startPhase()
	for i, p := range v.replicas {
		if v.endsAt(i) {
			return again
		}
		if p != nil && p.Annotations != nil && v.staysOnItsWay(p) && controllerOf(p.Owners) != nil {
			var step model.Step
			if v.goOn(&step, i, p, out); len(step.Actions) == 0 {
				continue
			}
			if !out.setAside(&refused, &step) {
				stage.Steps = append(stage.Steps, step)
			}
		}
	}
	out.stage(stage)
	again.Steps = out.again(refused)
	return again
}

func (v *view) goOn(step *model.Step, slot int, p *model.Pod, out *draft) {
	f := v.flightOf(p)
	look := v.lookAtPod(p, f)
	a := model.Action{Kind: model.KindPod, Name: p.Name, UID: p.UID, ResourceVersion: p.ResourceVersion}
	fact := ""
	switch {
	case len(look.unwritten) > 0 && !v.goesElsewhere(slot, f) && !v.untaken(p):
		a.Op, a.Cause, fact = resizePod(p, look.unwritten), causeResize(f.revision, f.starts), "resize"
	case look.proven && p.RunningReady():
		a.Op, a.Cause, fact = f.finish(p), causeArrived(f.revision, len(f.of) > 0, len(f.resize) > 0), "finish"
	case look.note:
		r := f.written(p, v.now)
		a.Op = model.UpdatePod{Annotations: []model.KeyValue{{Key: annotationUpdate, Value: r.text()}}}
		a.Cause, fact = causeNoted(f.revision), "note"
	default:
		if !look.again.IsZero() {
			out.lookAgainIn(look.again.Sub(v.now))
		}
		if r := v.refusalOf(p); r != nil && r.due.After(v.now) {
			out.lookAgainIn(r.due.Sub(v.now))
		} else if f.refusedFrom.After(v.now) {
			out.lookAgainIn(f.refusedFrom.Sub(v.now))
		}
		return
	}
	if out.emit(step, a, f.revision, fact) {
		out.noteUpdated(p, true)
	}
}

// finish is the write after which a pod is at the revision that it was on its way to. One that has come back has that label.
func (f *flight) finish(p *model.Pod) model.UpdatePod {
	op := model.UpdatePod{Annotations: []model.KeyValue{{Key: annotationUpdate, Value: nothingUnderWay}}}
	if p.Revision != f.revision {
		op.Labels = []model.KeyValue{{Key: model.LabelRevision, Value: f.revision}}
	}
	return op
}
