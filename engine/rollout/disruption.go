package rollout

import (
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// How budgets are respected: the annotation setplan.io/disruption-budget, or spec.disruptionBudget. A pod that need not go, and that is
// ready, is evicted and not deleted. Then the API server asks the PodDisruptionBudget of the pod, which nobody here watches: what was
// true of a budget a moment ago may be wrong when the pod goes, and others share it.
const (
	budgetsRespected = "Respect"
	budgetsIgnored   = "Ignore"
)

// ReadBudgets reads whether the set asks for it. An unknown text counts as Respect: it is meant to hold
// something back.
func ReadBudgets(v *Rollout, out *state.Draft) {
	switch of := v.Asks(policy.Budget); of.Text {
	case "", budgetsIgnored:
		return
	case budgetsRespected:
	default:
		out.Block(blockInvalidBudgets(v.Set, of))
	}
	v.Budgets = true
}

// TakeAway plans that a pod goes which need not: it is updated, recreated, or outside the range. hold: its budget has not allowed it, and a
// block says so.
//
// A pod that is not ready costs no budget (canIgnorePDB and IfHealthyBudget of the API server leave some of these to the budget, and a
// pod that hangs could then never be repaired). It is deleted, but only as it was seen: it may have become ready. Pods of a set that is
// being deleted cost none either; a budget that wants one pod would keep the set for ever.
//
// The draft then says whether a status may count the pod as gone. What has failed may fail again, and then the status tells what is
// seen: it would be wrong, or wait for the eviction, for ever.
func (v *Rollout) TakeAway(step *model.Step, p *model.Pod, version string, why model.Cause, out *state.Draft, facts ...string) plan.Verdict {
	a := model.Action{Kind: model.KindPod, Name: p.Name, UID: p.UID, ResourceVersion: version, Op: model.DeletePod{}, Cause: why}
	switch {
	case !v.Budgets || v.Emptying():
	case p.CostsBudget():
		a.Op = model.EvictPod{}
		if v.refusedLately(&a, out, facts) {
			return plan.Hold
		}
	default:
		a.ResourceVersion = p.ResourceVersion
	}
	if !out.Emit(step, a, facts...) {
		return plan.Fail
	}
	if v.Ranking.On {
		if out.Taken == nil {
			out.Taken = map[string]bool{}
		}
		out.Taken[p.UID] = true
	}
	last := model.Step{Actions: step.Actions[len(step.Actions)-1:]}
	out.Counts = out.FirstFailed(&last) < 0 || !v.Rules.CountersStayTrue && a.Op == model.Operation(model.DeletePod{})
	return plan.GoOn
}

// The wait before a budget is asked again grows with each refusal. A budget that becomes free announces it to nobody.
const (
	budgetWait       = 10 * time.Second
	budgetWaitGrowth = 3 // times budgetWait at most
)

// refusedLately reports whether a budget has not allowed an eviction, and is not asked again yet. Then a block says so.
func (v *Rollout) refusedLately(a *model.Action, out *state.Draft, facts []string) bool {
	o := out.Failed(a, facts...)
	if o == nil || o.Result != model.OutcomeDisruptionBudget {
		return false
	}
	wait := budgetWait * time.Duration(min(max(o.Count, 1), budgetWaitGrowth))
	since := v.Now.Sub(o.TriedAt)
	left := wait - since
	if since < 0 || left <= 0 { // a clock that was set back makes nobody wait
		return false // plan.ReportFailures adds the block
	}
	out.LookAgainIn(left)
	b := plan.BlockDisruptionBudget(a, o)
	b.NotBefore = o.TriedAt.Add(wait)
	out.Block(b)
	return true
}
