package engine

import "testing"

// TestSteadyAllocates: what a decision about a set that lacks nothing allocates are a few lists. It writes no sentences and reads no template.
func TestSteadyAllocates(t *testing.T) {
	w := newWorld(3).withClaims()
	shareOwners(w)
	if n := testing.AllocsPerRun(100, func() { Decide(&w.Snapshot) }); n > 11 {
		t.Errorf("a decision about three pods that lack nothing takes %.0f allocations", n)
	}
}
