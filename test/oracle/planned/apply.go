package planned

import (
	"fmt"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/oracle/world"
)

// Stage is what an adapter attempted of a stage.
type Stage struct {
	Phase model.Phase
	Steps [][]world.Write
}

// Writes are the stage's, step by step.
func (s *Stage) Writes() []world.Write {
	var out []world.Write
	for _, step := range s.Steps {
		out = append(out, step...)
	}
	return out
}

// Outcome is the plan and its result.
type Outcome struct {
	Plan   *model.Plan
	Stages []Stage
	// Aborted is whether a refusal ended the plan, so that not even stages marked AlwaysRun were started.
	Aborted bool
}

// Pass plans for the world and carries the plan out. An error means that no adapter could carry out the plan.
func Pass(w *world.World, rules model.Rules) (Outcome, error) {
	plan := engine.Decide(Snapshot(w, rules))
	out := Outcome{Plan: plan}
	stopped := false
	skipped := map[model.Phase]bool{}
	for _, stage := range plan.Stages {
		if skipped[stage.Phase] || stopped && !stage.AlwaysRun {
			continue
		}
		done, failed, err := runStage(w, &stage)
		if err != nil {
			return out, err
		}
		out.Stages = append(out.Stages, done)
		if !failed {
			continue
		}
		switch stage.OnFailure {
		case model.Stop:
			stopped = true
		case model.SkipPhase:
			skipped[stage.Phase] = true
		default:
			out.Aborted = true
			return out, nil
		}
	}
	return out, nil
}

// runStage runs the steps. A failed one does not stop the others.
func runStage(w *world.World, stage *model.Stage) (done Stage, failed bool, err error) {
	done.Phase = stage.Phase
	for _, step := range stage.Steps {
		var writes []world.Write
		for i := range step.Actions {
			write, err := writeOf(w, &step.Actions[i])
			if err != nil {
				return done, false, fmt.Errorf("%s: %w", step.Actions[i].ID, err)
			}
			if w.Fault.Hits(write.Op, write.Name) {
				write.Refused = w.Fault.Reason
			}
			writes = append(writes, write)
			if write.Refused != "" && !harmless(&write) {
				failed = true
				break
			}
		}
		done.Steps = append(done.Steps, writes)
	}
	return done, failed, nil
}

// harmless are the refusals that mean that nothing is left to do.
func harmless(w *world.Write) bool { return w.Op == world.DeletePod && w.Refused == "NotFound" }
