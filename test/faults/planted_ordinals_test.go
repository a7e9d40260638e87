package faults_test

import (
	"maps"
	"testing"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/faults"
	"github.com/setplan/setplan/test/invariants/law"
	"github.com/setplan/setplan/test/story"
)

// unread is an engine that does not see one of the set's annotations.
func unread(annotation string) faults.Planner {
	return blind(func(s *engine.Snapshot) {
		s.Set.Annotations = maps.Clone(s.Set.Annotations)
		delete(s.Set.Annotations, "setplan.io/"+annotation)
	})
}

// ordinalPlants are bugs of reserved ordinals and pauses; only every fourth life can find them.
var ordinalPlants = map[string]plant{
	"nothing is reserved": {
		reason: "the set has the first ordinals, whatever is reserved",
		want:   story.EventuallyStableReconciliation,
		seed:   2,
		plan:   unread("reserved-ordinals"),
	},
	"only the lowest is reserved": {
		reason: "of a list the first item counts",
		want:   story.EventuallyStableReconciliation,
		seed:   2,
		plan: blind(func(s *engine.Snapshot) {
			if list := s.Set.Annotations["setplan.io/reserved-ordinals"]; len(list) > 1 && list != "odd" {
				s.Set.Annotations = maps.Clone(s.Set.Annotations)
				s.Set.Annotations["setplan.io/reserved-ordinals"] = list[:1]
			}
		}),
	},
	"the guard is not seen": {
		reason: "a scale-down takes pods that nobody has named",
		want:   law.GuardKeeps,
		seed:   2,
		plan:   unread("scale-in-guard"),
	},
	"the pause is not seen": {
		reason: "a paused set goes on",
		want:   law.PauseHolds,
		seed:   2,
		plan:   unread("pause"),
	},
	"every pause is one of updates": {
		reason: "HealOnly and All hold nothing more back",
		want:   law.PauseHolds,
		seed:   2,
		plan: blind(func(s *engine.Snapshot) {
			if s.Set.Annotations["setplan.io/pause"] != "" {
				s.Set.Annotations = maps.Clone(s.Set.Annotations)
				s.Set.Annotations["setplan.io/pause"] = "Updates"
			}
		}),
	},
	"a silent pause": {
		reason: "nobody says that the set is paused",
		want:   story.EventuallyStableReconciliation,
		seed:   2,
		plan: func(s *engine.Snapshot) *engine.Plan {
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
	"pods that the guard keeps count": {
		reason: "the pods outside the range keep the last one of the range at the old revision, and it is replaced for ever",
		want:   story.EventuallyStableReconciliation,
		seed:   2,
		plan: blind(func(s *engine.Snapshot) {
			if s.Set.RollingUpdate == nil && s.Set.Annotations["setplan.io/scale-in-guard"] != "" {
				s.Set.Status.CurrentReplicas += 2
			}
		}),
	},
}

// TestPlantedOrdinalBugsAreFound is TestPlantedBugsAreFound for reserved ordinals and pauses.
func TestPlantedOrdinalBugsAreFound(t *testing.T) { areFound(t, ordinalPlants) }
