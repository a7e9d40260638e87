package engine

import (
	"time"

	"github.com/setplan/setplan/engine/model"
)

// How budgets are respected: the annotation setplan.io/disruption-budget, or spec.disruptionBudget. A pod that need not go, and that is
// ready, is evicted and not deleted. Then the API server asks the PodDisruptionBudget of the pod, which nobody here watches: what was
// true of a budget a moment ago may be wrong when the pod goes, and others share it.
const (
	budgetsRespected = "Respect"
	budgetsIgnored   = "Ignore"
)

// readBudgets reads whether the set asks for it, and what has failed. An unknown text counts as Respect: it is meant to hold
// something back.
func readBudgets(v *view, out *draft) {
	switch of := v.asks(annotationBudget); of.text {
	case "", budgetsIgnored:
		return
	case budgetsRespected:
	default:
		out.block(blockInvalidBudgets(v.set, of))
	}
	v.budgets = true
	for id, o := range out.failures() {
		if v.failed == nil {
			v.failed = map[string]model.Outcome{}
		}
		v.failed[id] = *o
	}
}

// takeAway plans that a pod goes which need not: it is updated, recreated, or outside the range. hold: its budget has not allowed it, and a
// block says so.
//
// A pod that is not ready costs no budget (canIgnorePDB and IfHealthyBudget of the API server leave some of these to the budget, and a
// pod that hangs could then never be repaired). It is deleted, but only as it was seen: it may have become ready. Pods of a set that is
// being deleted cost none either; a budget that wants one pod would keep the set for ever.
//
// The draft then says whether a status may count the pod as gone. What has failed may fail again, and then the status tells what is
// seen: it would be wrong, or wait for the eviction, for ever.
func (v *view) takeAway(step *model.Step, p *model.Pod, version string, why model.Cause, out *draft, facts ...string) verdict {
	a := model.Action{Kind: model.KindPod, Name: p.Name, UID: p.UID, ResourceVersion: version, Op: model.DeletePod{}, Cause: why}
	switch {
	case !v.budgets || v.emptying():
	case p.CostsBudget():
		a.Op = model.EvictPod{}
		if v.refusedLately(&a, out, facts) {
			return hold
		}
	default:
		a.ResourceVersion = p.ResourceVersion
	}
	if !out.emit(step, a, facts...) {
		return fail
	}
	if v.ranking.on {
		if out.taken == nil {
			out.taken = map[string]bool{}
		}
		out.taken[p.UID] = true
	}
	last := model.Step{Actions: step.Actions[len(step.Actions)-1:]}
	out.counts = out.firstFailed(&last) < 0 || !v.rules.CountersStayTrue && a.Op == model.Operation(model.DeletePod{})
	return goOn
}

// presume notes that the status counts what the last action of a step does. An eviction may be refused.
func (out *draft) presume(step *model.Step) {
	out.uncertain = out.uncertain || step.Actions[len(step.Actions)-1].Op == model.Operation(model.EvictPod{})
}

// The wait before a budget is asked again grows with each refusal. A budget that becomes free announces it to nobody.
const (
	budgetWait       = 10 * time.Second
	budgetWaitGrowth = 3 // times budgetWait at most
)

// refusedLately reports whether a budget has not allowed an eviction, and is not asked again yet. Then a block says so.
func (v *view) refusedLately(a *model.Action, out *draft, facts []string) bool {
	if len(v.failed) == 0 {
		return false
	}
	o, failed := v.failed[actionID(a, facts)]
	if !failed || o.Result != model.OutcomeDisruptionBudget {
		return false
	}
	wait := budgetWait * time.Duration(min(max(o.Count, 1), budgetWaitGrowth))
	since := v.now.Sub(o.TriedAt)
	left := wait - since
	if since < 0 || left <= 0 { // a clock that was set back makes nobody wait
		return false // reportFailures adds the block
	}
	out.lookAgainIn(left)
	b := blockDisruptionBudget(a, &o)
	b.NotBefore = o.TriedAt.Add(wait)
	out.block(b)
	return true
}
