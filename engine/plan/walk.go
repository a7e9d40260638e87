package plan

import "github.com/setplan/setplan/engine/model"

// Verdict is what one ordinal means for the ordinals and steps after it.
type Verdict uint8

const (
	GoOn Verdict = iota // continue
	Hold                // OrderedReady stops here; Parallel continues
	Fail                // upstream meets an error here: stop in both
)

// InOrder visits n places one after another, up to the first that does not return GoOn. All actions are one step: the first failure ends
// it.
func (out *Draft) InOrder(phase model.Phase, n int, place func(*model.Step, int) Verdict) bool {
	var step model.Step
	proceed := true
	for i := 0; i < n && proceed && !out.full && !out.EndsAt(i); i++ {
		proceed = place(&step, i) == GoOn
	}
	if len(step.Actions) > 0 {
		out.Add(model.Stage{Phase: phase, Steps: []model.Step{step}, OnFailure: model.Stop})
	}
	return proceed && !out.full
}

// Slow start: a batch is tried only if the one before succeeded, so that a set that cannot be served costs the API server a few requests and
// not thousands. The sizes are upstream's (slowStartBatch).
const (
	FirstBatch = 1
	MaxBatch   = 500
)

// InBatches visits n places in parallel, with a stage for each batch. despite: one that fails does not keep back the others, nor the stages after them.
func (out *Draft) InBatches(despite bool, phase model.Phase, n int, place func(*model.Step, int) Verdict) bool {
	onFailure := model.Stop
	if despite {
		onFailure = model.SkipPhase
	}
	failed := false
	var refused Aside
	for i, size := 0, FirstBatch; i < n && !out.full && !out.gone; size = min(2*size, MaxBatch) {
		stage := model.Stage{Phase: phase, OnFailure: onFailure}
		// As many as are known to be refused are tried at once: else each pass would find out about one.
		for done := 0; i < n && done < max(size, min(len(refused), MaxBatch)) && !out.EndsAt(i); i++ {
			var step model.Step
			failed = place(&step, i) == Fail || failed
			if despite && !creates(&step) && out.SetAside(&refused, &step) {
				continue
			}
			if len(step.Actions) > 0 {
				stage.Steps = append(stage.Steps, step)
			}
			done++
		}
		out.Add(stage)
		if failed && !despite {
			return false
		}
	}
	size := FirstBatch
	for steps := out.Again(refused); len(steps) > 0; size = min(2*size, MaxBatch) {
		size = min(size, len(steps))
		out.Add(model.Stage{Phase: phase, Steps: steps[:size], OnFailure: onFailure})
		steps = steps[size:]
	}
	// Continue even if the plan is cut here: later steps count the pods of the snapshot, not of the plan.
	return true
}

// creates reports whether a step creates a pod or a claim. What refuses that, such as a quota, refuses it to others as well, and to remember each of
// thousands helps nobody.
func creates(step *model.Step) bool {
	for i := range step.Actions {
		switch step.Actions[i].Op.(type) {
		case model.CreatePod, model.CreateClaim:
			return true
		}
	}
	return false
}
