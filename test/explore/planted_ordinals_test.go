package explore

import (
	"maps"
	"testing"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/invariants/law"
)

// without is an engine that does not see one of the set's annotations.
func without(annotation string) func(*engine.Snapshot) *engine.Plan {
	return blind(func(s *engine.Snapshot) {
		s.Set.Annotations = maps.Clone(s.Set.Annotations)
		delete(s.Set.Annotations, "setplan.io/"+annotation)
	})
}

var ordinalPlants = map[string]planted{
	"no guard": {
		reason:   "a scale-down takes pods that nobody has named",
		want:     law.GuardKeeps,
		ordinals: true, guarded: true,
		decide: without("scale-in-guard"),
	},
	"no pause": {
		reason:   "a paused set goes on",
		want:     law.PauseHolds,
		ordinals: true, edits: 2,
		decide: without("pause"),
	},
	"no reserved ordinals": {
		reason:   "a reserved ordinal is taken for one of the range",
		want:     law.OrderedReady,
		ordinals: true,
		decide:   without("reserved-ordinals"),
	},
	"a silent pause": {
		reason:   "nobody says that the set is paused",
		want:     law.WaitingIsExplained,
		ordinals: true, edits: 2,
		decide: func(s *engine.Snapshot) *engine.Plan {
			plan := engine.Decide(s)
			var told []engine.Block
			for _, b := range plan.Blocks {
				if b.Code != engine.BlockPaused {
					told = append(told, b)
				}
			}
			plan.Blocks = told
			return plan
		},
	},
}

// TestOrdinalsMove: a search that is to find mistakes with holes has to come to sets that have them, and to sets that are up beside them.
func TestOrdinalsMove(t *testing.T) {
	config := OrdinalConfigs(Bounds{Ordinals: 2, Edits: 1, Lag: 1, Adapters: 1})[0]
	s := newSearch(&config, &Tally{Checked: map[string]int64{}})
	s.run()
	besideAHole := false
	for p := range s.planner.known {
		c := p.unpack()
		besideAHole = besideAHole || c.isReserved(0) && !c.pods[0].exists() && c.pods[1].phase == ready && c.pods[2].phase == ready
	}
	if !besideAHole {
		t.Error("no set is up with ordinal 0 reserved")
	}
}
