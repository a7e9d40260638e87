package forecast

import (
	"slices"

	"github.com/setplan/setplan/engine/model"
)

// apply carries out a plan as an adapter does, and returns the actions that wrote. A failed action ends its step; what that means for later
// stages, its stage says. The snapshot tells the next plan of failures.
func (c *cluster) apply(plan *model.Plan) []model.Action {
	t := turn{cluster: c}
	c.asked = false
	stopped, skipped := false, map[model.Phase]bool{}
	for _, stage := range plan.Stages {
		if skipped[stage.Phase] || stopped && !stage.AlwaysRun || t.runStage(&stage) {
			continue
		}
		if stage.OnFailure == model.Abort {
			break
		}
		stopped = stopped || stage.OnFailure == model.Stop
		skipped[stage.Phase] = skipped[stage.Phase] || stage.OnFailure == model.SkipPhase
	}
	t.work(len(c.Outcomes) + len(t.failed))
	again := map[string]bool{}
	for _, o := range t.failed {
		again[o.ActionID] = true
	}
	for _, o := range c.Outcomes { // an adapter remembers refusals of budgets until they are asked again
		if _, refused := c.refused[o.ActionID]; refused && !again[o.ActionID] {
			t.failed = append(t.failed, o)
		}
	}
	c.Outcomes = t.failed
	return t.did
}

// turn is one plan on its way into the cluster.
type turn struct {
	*cluster
	did    []model.Action
	failed []model.Outcome
}

func (t *turn) runStage(stage *model.Stage) (done bool) {
	done = true
	for _, step := range stage.Steps {
		for i := range step.Actions {
			a := &step.Actions[i]
			t.work(1)
			err := t.do(a)
			if err == errGone && deletes(a.Op) {
				continue // it is in the desired state, and nothing is written
			}
			if err != nil {
				t.fail(a, err)
				done = false
				break
			}
			t.did = append(t.did, *a)
		}
	}
	return done
}

// fail notes a failure, and counts those of the same action before.
func (t *turn) fail(a *model.Action, err error) {
	outcome := model.Outcome{ActionID: a.ID, Result: model.OutcomeRejected, Count: 1, Message: err.Error()}
	if f, said := err.(failure); said {
		outcome.Result = f.result
	}
	if outcome.Result == model.OutcomeDisruptionBudget || outcome.Result == model.OutcomeNodeCapacity {
		outcome.TriedAt = t.now()
	}
	t.work(len(t.Outcomes))
	if i := slices.IndexFunc(t.Outcomes, func(o model.Outcome) bool { return o.ActionID == a.ID }); i >= 0 {
		outcome.Count += t.Outcomes[i].Count
	}
	t.failed = append(t.failed, outcome)
}
