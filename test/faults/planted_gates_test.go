package faults_test

import (
	"testing"

	"github.com/setplan/setplan/test/faults"
	"github.com/setplan/setplan/test/invariants/law"
)

// gatePlants are bugs of updates to which somebody has to agree; only every eighth life can find them.
var gatePlants = map[string]plant{
	"no gate": {
		reason: "pods are updated without an answer",
		want:   law.GatesHold,
		seed:   13,
		plan:   unread("before-update"),
	},
	"unconfirmed": {
		reason: "the update goes on without an answer",
		want:   law.GatesHold,
		seed:   13,
		plan:   unread("after-update"),
	},
	"no version": {
		reason: "a pod is updated although the answer was taken back",
		want:   law.GatesHold,
		seed:   13,
		plan:   faults.Planner(unversioned),
	},
}

// TestPlantedGateBugsAreFound is TestPlantedBugsAreFound for updates to which somebody has to agree.
func TestPlantedGateBugsAreFound(t *testing.T) { areFound(t, gatePlants) }
