package engine

import (
	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/state"
)

// goOnInPlace goes on with what is under way in pods of the range, and finishes it as far as it is known to be done. It waits for nothing: these pods
// have had their turn, and none is taken away. again is what has failed before: a quota may refuse it for days, and it comes after all that
// other pods are to get, whatever becomes of that.
func goOnInPlace(v *view, out *state.Draft) (again model.Stage) {
	stage := model.Stage{Phase: model.PhaseUpdate, OnFailure: model.Stop, AlwaysRun: out.Stuck()}
	var refused plan.Aside
	again = model.Stage{Phase: model.PhaseUpdate, OnFailure: model.SkipPhase, AlwaysRun: true}
	if v.InPlace == inplace.InPlaceNever || v.Paused >= state.PauseUpdates {
		return again
	}
	out.StartPhase()
	for i, p := range v.Replicas {
		if v.EndsAt(i) {
			return again
		}
		if p != nil && p.Annotations != nil && v.StaysOnItsWay(p) && state.ControllerOf(p.Owners) != nil {
			var step model.Step
			if v.goOn(&step, i, p, out); len(step.Actions) == 0 {
				continue
			}
			if !out.SetAside(&refused, &step) {
				stage.Steps = append(stage.Steps, step)
			}
		}
	}
	out.Add(stage)
	again.Steps = out.Again(refused)
	return again
}

func (v *view) goOn(step *model.Step, slot int, p *model.Pod, out *state.Draft) {
	f := v.FlightOf(p)
	look := v.LookAtPod(p, f)
	a := model.Action{Kind: model.KindPod, Name: p.Name, UID: p.UID, ResourceVersion: p.ResourceVersion}
	facts := []string{f.Revision, ""}
	switch {
	case len(look.Unwritten) > 0 && !v.GoesElsewhere(slot, f) && !v.Untaken(p) && v.MayAsk(p):
		a, facts = inplace.Resize(p, f, look.Unwritten)
		a.Cause = causeResize(f.Revision, f.Starts)
		if r := v.RefusalOf(p); r != nil { // it is asked for again
			out.Block(inplace.BlockResizeRefused(p, f.Revision, r))
		}
	case look.Proven && p.RunningReady():
		a.Op, a.Cause, facts[1] = finishFlight(f, p), causeArrived(f.Revision, len(f.Of) > 0, len(f.Resize) > 0), "finish"
	case look.Note:
		r := f.Written(p, v.Now)
		a.Op = model.UpdatePod{Annotations: []model.KeyValue{{Key: inplace.AnnotationUpdate, Value: r.Text()}}}
		a.Cause, facts[1] = causeNoted(f.Revision), "note"
	default:
		if !look.Again.IsZero() {
			out.LookAgainIn(look.Again.Sub(v.Now))
		}
		r := v.RefusalOf(p)
		if r != nil && r.Again.After(v.Now) {
			out.LookAgainIn(r.Again.Sub(v.Now))
		}
		if r != nil && r.Due.After(v.Now) {
			out.LookAgainIn(r.Due.Sub(v.Now))
		} else if f.RefusedFrom.After(v.Now) {
			out.LookAgainIn(f.RefusedFrom.Sub(v.Now))
		}
		return
	}
	if out.Emit(step, a, facts...) {
		out.NoteUpdated(p, true)
	}
}

// finishFlight is the write after which a pod is at the revision that it was on its way to. One that has come back has that label.
func finishFlight(f *inplace.Flight, p *model.Pod) model.UpdatePod {
	op := model.UpdatePod{Annotations: []model.KeyValue{{Key: inplace.AnnotationUpdate, Value: inplace.NothingUnderWay}}}
	if p.Revision != f.Revision {
		op.Labels = []model.KeyValue{{Key: model.LabelRevision, Value: f.Revision}}
	}
	return op
}
