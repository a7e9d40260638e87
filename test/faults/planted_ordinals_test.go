package faults_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/faults"
	"github.com/setplan/setplan/test/invariants/law"
	"github.com/setplan/setplan/test/story"
)

// misread is an engine that sees another value of one of the set's annotations; an empty one is none. Where it makes a revision it sees
// well: a copy of the annotations is in there, and would tell at once.
func misread(annotation string, as func(string) string) faults.Planner {
	return func(s *engine.Snapshot) *engine.Plan {
		seen := *s
		seen.Set.Annotations = maps.Clone(s.Set.Annotations)
		delete(seen.Set.Annotations, "setplan.io/"+annotation)
		if is := s.Set.Annotations["setplan.io/"+annotation]; is != "" && as(is) != "" {
			seen.Set.Annotations["setplan.io/"+annotation] = as(is)
		}
		plan := engine.Decide(&seen)
		for _, stage := range plan.Stages {
			if stage.Phase == engine.PhaseRevision {
				return engine.Decide(s)
			}
		}
		return plan
	}
}

// unread is one that does not see it.
func unread(annotation string) faults.Planner {
	return misread(annotation, func(string) string { return "" })
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
		plan:   misread("reserved-ordinals", func(list string) string { return strings.Split(list, ",")[0] }),
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
		plan:   misread("pause", func(string) string { return "Updates" }),
	},
	"a silent pause": {
		reason: "nobody says that the set is paused",
		want:   law.WaitingIsExplained,
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
}

// TestPlantedOrdinalBugsAreFound is TestPlantedBugsAreFound for reserved ordinals and pauses.
func TestPlantedOrdinalBugsAreFound(t *testing.T) { areFound(t, ordinalPlants) }
