package faults_test

import (
	"testing"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/faults"
	"github.com/setplan/setplan/test/invariants/law"
)

// unversioned is an engine whose deletions name no resource version.
func unversioned(s *engine.Snapshot) *engine.Plan {
	plan := engine.Decide(s)
	for _, stage := range plan.Stages {
		for _, step := range stage.Steps {
			for i := range step.Actions {
				if _, deletes := step.Actions[i].Op.(engine.DeletePod); deletes {
					step.Actions[i].ResourceVersion = ""
				}
			}
		}
	}
	return plan
}

// rankPlants are bugs of updates by rank; only every fourth life can find them.
var rankPlants = map[string]plant{
	"the rank is not seen": {
		reason: "pods are updated from the highest ordinal down, whoever leads",
		want:   law.LeaderComesLast,
		seed:   4,
		plan:   unread("update-rank"),
	},
	"another label": {
		reason: "any pod with the label leads, whatever its value is",
		want:   law.LeaderComesLast,
		seed:   4,
		plan:   misread("update-rank", func(string) string { return "setplan.io/rank" }),
	},
	"no limit": {
		reason: "the pods of a Parallel set are all created at once",
		want:   law.ScaleUpWithinLimit,
		seed:   4,
		plan:   unread("scale-up-limit"),
	},
	"no version": {
		reason: "a pod is deleted that has become the leader since",
		want:   law.LeaderComesLast,
		seed:   4,
		plan:   faults.Planner(unversioned),
	},
}

// TestPlantedRankBugsAreFound is TestPlantedBugsAreFound for updates by rank.
func TestPlantedRankBugsAreFound(t *testing.T) { areFound(t, rankPlants) }
