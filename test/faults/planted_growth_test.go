package faults_test

import (
	"slices"
	"testing"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/faults"
	"github.com/setplan/setplan/test/invariants/law"
	"github.com/setplan/setplan/test/story"
)

// grownAtOnce is an engine that takes every volume for grown as soon as its claim asks.
func grownAtOnce(s *engine.Snapshot) *engine.Plan {
	seen := *s
	seen.Claims = slices.Clone(s.Claims)
	for i := range seen.Claims {
		if storage := seen.Claims[i].Storage; storage != nil {
			is := *storage
			is.Capacity = is.Request
			seen.Claims[i].Storage = &is
		}
	}
	return engine.Decide(&seen)
}

// growthPlants are bugs of claims that follow their templates; only every eighth life can find them.
var growthPlants = map[string]plant{
	"growth is not seen": {
		reason: "a claim asks for more while its volume grows",
		want:   law.VolumesGrowOnce,
		seed:   37,
		plan:   faults.Planner(grownAtOnce),
	},
	"the patch is not seen": {
		reason: "claims stay as they were made",
		want:   story.EventuallyStableReconciliation,
		seed:   5,
		plan:   unread("claim-templates"),
	},
}

// TestPlantedGrowthBugsAreFound is TestPlantedBugsAreFound for claims that follow their templates.
func TestPlantedGrowthBugsAreFound(t *testing.T) { areFound(t, growthPlants) }
