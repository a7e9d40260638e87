package faults_test

import (
	"testing"

	"github.com/setplan/setplan/test/faults"
)

// quick is what the fixed part goes through; make search WHAT=world goes through all of them, in every way.
var quick = []string{"start ordinals", "drained when deleted"}

func TestIntermediateState(t *testing.T) { sieve(t, faults.IntermediateState) }
func TestStaleState(t *testing.T)        { sieve(t, faults.StaleState) }
func TestUnobservedState(t *testing.T)   { sieve(t, faults.UnobservedState) }
func TestTornCaches(t *testing.T)        { sieve(t, faults.TornCaches) }

// sieve sets one perturbation into lives at every point.
func sieve(t *testing.T, perturbation string) {
	t.Parallel()
	for _, name := range quick {
		runs, err := faults.Sieve(perturbation, faults.Lives[name], false, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && runs < 10 {
			t.Errorf("%s: the perturbation %q has only %d points", name, perturbation, runs)
		}
	}
}
