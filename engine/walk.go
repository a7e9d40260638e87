package engine

import "github.com/setplan/setplan/engine/model"

// verdict is what one ordinal means for the ordinals and steps after it.
type verdict uint8

const (
	goOn verdict = iota // continue
	hold                // OrderedReady stops here; Parallel continues
	fail                // upstream meets an error here: stop in both
)

// inOrder visits n places one after another, up to the first that does not return goOn. All actions are one step: the first failure ends
// it.
func inOrder(out *draft, phase model.Phase, n int, place func(*model.Step, int) verdict) bool {
	var step model.Step
	proceed := true
	for i := 0; i < n && proceed && !out.full && !out.endsAt(i); i++ {
		proceed = place(&step, i) == goOn
	}
	if len(step.Actions) > 0 {
		out.stage(model.Stage{Phase: phase, Steps: []model.Step{step}, OnFailure: model.Stop})
	}
	return proceed && !out.full
}

// Slow start: a batch is tried only if the one before succeeded, so that a set that cannot be served costs the API server a few requests and
// not thousands. The sizes are upstream's (slowStartBatch).
const (
	firstBatch = 1
	maxBatch   = 500
)

// inBatches visits n places in parallel, with a stage for each batch.
func inBatches(v *view, out *draft, phase model.Phase, n int, place func(*model.Step, int) verdict) bool {
	despite, onFailure := v.rules.DeletesDespiteFailedCreates, model.Stop
	if despite {
		onFailure = model.SkipPhase
	}
	failed := false
	var refused aside
	for i, size := 0, firstBatch; i < n && !out.full && !out.gone; size = min(2*size, maxBatch) {
		stage := model.Stage{Phase: phase, OnFailure: onFailure}
		// As many as are known to be refused are tried at once: else each pass would find out about one.
		for done := 0; i < n && done < max(size, min(len(refused), maxBatch)) && !out.endsAt(i); i++ {
			var step model.Step
			failed = place(&step, i) == fail || failed
			if despite && !creates(&step) && out.setAside(&refused, &step) {
				continue
			}
			if len(step.Actions) > 0 {
				stage.Steps = append(stage.Steps, step)
			}
			done++
		}
		out.stage(stage)
		if failed && !despite {
			return false
		}
	}
	size := firstBatch
	for steps := out.again(refused); len(steps) > 0; size = min(2*size, maxBatch) {
		size = min(size, len(steps))
		out.stage(model.Stage{Phase: phase, Steps: steps[:size], OnFailure: onFailure})
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
