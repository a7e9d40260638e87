package forecast

import (
	"slices"

	"github.com/setplan/setplan/engine"
)

// apply carries out a plan as an adapter does, and returns the actions that wrote. A failed action ends its step; what that means for later
// stages, its stage says. The snapshot tells the next plan of failures.
func (c *cluster) apply(plan *engine.Plan) []engine.Action {
	t := turn{cluster: c}
	c.asked = false
	stopped, skipped := false, map[engine.Phase]bool{}
	for _, stage := range plan.Stages {
		if skipped[stage.Phase] || stopped && !stage.AlwaysRun || t.runStage(&stage) {
			continue
		}
		if stage.OnFailure == engine.Abort {
			break
		}
		stopped = stopped || stage.OnFailure == engine.Stop
		skipped[stage.Phase] = skipped[stage.Phase] || stage.OnFailure == engine.SkipPhase
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
	did    []engine.Action
	failed []engine.Outcome
}

func (t *turn) runStage(stage *engine.Stage) (done bool) {
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
func (t *turn) fail(a *engine.Action, err error) {
	outcome := engine.Outcome{ActionID: a.ID, Result: engine.OutcomeRejected, Count: 1, Message: err.Error()}
	switch err.(type) {
	case conflict:
		outcome.Result = engine.OutcomeConflict
	case refusal:
		outcome.Result, outcome.TriedAt = engine.OutcomeDisruptionBudget, t.now()
	}
	t.work(len(t.Outcomes))
	if i := slices.IndexFunc(t.Outcomes, func(o engine.Outcome) bool { return o.ActionID == a.ID }); i >= 0 {
		outcome.Count += t.Outcomes[i].Count
	}
	t.failed = append(t.failed, outcome)
}
