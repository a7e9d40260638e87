package faults_test

import (
	"testing"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/invariants/law"
)

// additionPlants are bugs of claim templates that sets add; only every 32nd life can find them.
var additionPlants = map[string]plant{
	"claims of an added template are not made": {
		reason: "its pods are made without them",
		want:   law.ClaimsBeforePods,
		seed:   40,
		plan: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			_, creates := a.Op.(engine.CreateClaim)
			return !creates || len(a.Name) < 4 || a.Name[:4] != "wal-"
		}),
	},
}

// TestPlantedAdditionBugsAreFound is TestPlantedBugsAreFound for added claim templates.
func TestPlantedAdditionBugsAreFound(t *testing.T) { areFound(t, additionPlants) }
