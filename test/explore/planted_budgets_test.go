package explore

import (
	"slices"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/invariants/law"
)

func withBudgets(config *Config) { config.Budgets = true }

// unversioned is an engine that deletes pods whatever has become of them.
var unversioned = spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
	if a.Op == engine.Operation(engine.DeletePod{}) {
		a.ResourceVersion = ""
	}
	return true
})

var budgetPlants = map[string]planted{
	"no disruption budget": {
		reason: "pods are deleted as if nobody had asked for budgets",
		want:   law.BudgetsHold,
		with:   withBudgets,
		decide: without("disruption-budget"),
	},
	"a deletion for an eviction": {
		reason: "what a budget has to allow is deleted",
		want:   law.BudgetsHold,
		with:   withBudgets,
		decide: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			if a.Op == engine.Operation(engine.EvictPod{}) {
				a.Op = engine.DeletePod{}
			}
			return true
		}),
	},
	"a broken pod that is ready": {
		reason: "a pod that was not ready is deleted without its resource version, and has become ready",
		want:   law.BudgetsHold,
		deaf:   law.RepairTakesNothing,
		with:   withBudgets,
		decide: unversioned,
	},
	"a budget that is asked all the time": {
		reason: "nobody hears what a budget has not allowed",
		want:   ComesToRest,
		edits:  1,
		with:   withBudgets,
		decide: blind(func(s *engine.Snapshot) { s.Outcomes = nil }),
	},
	"a silent budget": {
		reason: "nobody says that a budget does not allow an eviction",
		want:   law.WaitingIsExplained,
		with:   withBudgets,
		decide: func(s *engine.Snapshot) *engine.Plan {
			plan := engine.Decide(s)
			plan.Blocks = slices.DeleteFunc(plan.Blocks, func(b engine.Block) bool { return b.Code == engine.BlockDisruptionBudget })
			return plan
		},
	},
}
