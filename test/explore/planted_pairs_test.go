package explore

import (
	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/invariants/law"
)

// pair is the search of two policies at a place of the list.
func pair(at int) func(*Config) {
	return func(config *Config) {
		both := PairConfigs(config.Bounds)[at]
		both.Decide, both.deaf = config.Decide, config.deaf
		*config = both
	}
}

// deleting is an engine that deletes where it should evict.
var deleting = spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
	if _, evicts := a.Op.(engine.EvictPod); evicts {
		a.Op = engine.DeletePod{}
	}
	return true
})

var pairPlants = map[string]planted{
	"the leader is deleted": {
		reason: "with a rank, nobody asks the disruption budget",
		want:   law.BudgetsHold,
		with:   pair(0),
		decide: deleting,
	},
	"a restart that nobody has agreed to": {
		reason: "the gate is for pods that are deleted",
		want:   law.GatesHold,
		with:   pair(1),
		decide: without("before-update"),
	},
	"a restart that no budget allows": {
		reason: "containers start anew in place, and budgets are not asked",
		want:   law.InPlaceIsRight,
		deaf:   law.BudgetsHold,
		with:   pair(2),
		decide: without("disruption-budget"),
	},
	"growth, and no update": {
		reason: "pods whose claims grow are held back for ever, and nobody says so",
		want:   law.WaitingIsExplained,
		edits:  2,
		with:   pair(3),
		decide: func(s *engine.Snapshot) *engine.Plan {
			plan := engine.Decide(s)
			for i := range s.Claims {
				if s.Claims[i].Storage.Request != gi(1) {
					return spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
						return a.Kind != engine.KindPod || s.Claims[i].Name != claimName+"-"+a.Name
					})(s)
				}
			}
			return plan
		},
	},
}
