package invariants

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/setplan/setplan/test/invariants/law"
)

// breach is a violation of an invariant.
type breach struct {
	reason string
	spec   string // beside selector and template
	pods   string // of the set: name:state, states as in addPod
	plant  func(*planted)
}

// TestInvariantsCatch plants a violation of each invariant: a checker that never fails proves nothing.
func TestInvariantsCatch(t *testing.T) {
	tests := map[string]breach{}
	for _, of := range []map[string]breach{podBreaches, claimBreaches, drainBreaches, inPlaceBreaches, updateBreaches, resourceBreaches} {
		maps.Copy(tests, of)
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := plant(t, tt.spec, tt.pods)
			if len(p.monitor.Problems()) > 0 {
				t.Fatalf("before anything is planted: %v", p.monitor.Problems())
			}
			tt.plant(p)
			invariant, _, _ := strings.Cut(name, "/")
			if text := strings.Join(p.monitor.Problems(), "\n"); !strings.Contains(text, invariant+":") {
				t.Errorf("%s: not caught; the problems are %q", tt.reason, text)
			}
		})
	}
	untold := []string{law.RepairIsRight, law.RepairTakesNothing} // events of the simulated cluster have no cause; UpdateWithinBudget covers these
	for _, invariant := range law.OnWrite {
		if _, tested := tests[invariant.Name]; !tested && !slices.Contains(untold, invariant.Name) {
			t.Errorf("nothing plants a violation of %s", invariant.Name)
		}
	}
}
