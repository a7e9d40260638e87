package faults_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/faults"
	"github.com/setplan/setplan/test/invariants"
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

// ofPlainRevisions is an engine that takes no notice of the claim templates that revisions say their pods are without.
func ofPlainRevisions(s *engine.Snapshot) *engine.Plan {
	seen := *s
	seen.Revisions = slices.Clone(s.Revisions)
	for i := range seen.Revisions {
		if at := bytes.Index(seen.Revisions[i].Data, []byte(`"spec":`)); at > 1 {
			seen.Revisions[i].Data = append([]byte("{"), seen.Revisions[i].Data[at:]...)
		}
	}
	return engine.Decide(&seen)
}

// growthPlants are bugs of claims that follow their templates; only every eighth life can find them.
var growthPlants = map[string]plant{
	"growth is not seen": {
		reason: "a claim asks for more while its volume grows",
		want:   law.VolumesGrowOnce,
		seed:   5,
		plan:   faults.Planner(grownAtOnce),
	},
	"what revisions say is not seen": {
		reason: "pods get the claims of another revision",
		want:   invariants.PlansAreAccepted,
		seed:   5,
		plan:   faults.Planner(ofPlainRevisions),
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
