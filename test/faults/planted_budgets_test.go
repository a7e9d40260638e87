package faults_test

import (
	"testing"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/faults"
	"github.com/setplan/setplan/test/invariants/law"
)

// budgetPlants are bugs of sets that respect disruption budgets; only every eighth life can find them.
var budgetPlants = map[string]plant{
	"no budget": {
		reason: "pods are deleted as if nobody had asked for budgets",
		want:   law.BudgetsHold,
		seed:   6,
		plan:   unread("disruption-budget"),
	},
	"a deletion for an eviction": {
		reason: "what a budget has to allow is deleted",
		want:   law.BudgetsHold,
		seed:   6,
		plan: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			if a.Op == engine.Operation(engine.EvictPod{}) {
				a.Op = engine.DeletePod{}
			}
			return true
		}),
	},
	"no version for a broken pod": {
		reason: "a pod is deleted because it was not ready, and is",
		want:   law.BudgetsHold,
		seed:   6,
		plan:   faults.Planner(unversioned),
	},
}

// TestPlantedBudgetBugsAreFound is TestPlantedBugsAreFound for sets that respect disruption budgets.
func TestPlantedBudgetBugsAreFound(t *testing.T) { areFound(t, budgetPlants) }
