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

// forgetful is an engine that looks at no pods when it deletes revisions.
func forgetful(s *engine.Snapshot) *engine.Plan {
	plan, blind := engine.Decide(s), *s
	blind.Pods, blind.Set.RevisionHistoryLimit = nil, 0
	for _, stage := range engine.Decide(&blind).Stages {
		if stage.Phase == engine.PhaseHistory {
			plan.Stages = append(slices.DeleteFunc(plan.Stages, func(s engine.Stage) bool { return s.Phase == engine.PhaseHistory }), stage)
			plan.Converged = false
		}
	}
	return plan
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
	"a volume that shrinks": {
		reason: "a claim is to ask for less than its volume has",
		want:   law.VolumesNeverShrink,
		seed:   5,
		plan: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			if op, patches := a.Op.(engine.PatchClaim); patches && op.Request != "" {
				op.Request = "1Mi"
				a.Op = op
			}
			return true
		}),
	},
	"a revision that pods have": {
		reason: "it is deleted, and they could not be made again",
		want:   invariants.PlansAreAccepted,
		seed:   5,
		plan:   faults.Planner(forgetful),
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
