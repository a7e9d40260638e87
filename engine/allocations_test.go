package engine

import "testing"

// TestSteadyAllocates: the view, the draft and what they hold stay on the stack. One block that keeps a pointer into them, or a string out
// of a struct that also has such a pointer, moves them all to the heap, and a small decision takes far longer.
func TestSteadyAllocates(t *testing.T) {
	w := newWorld(3).withClaims()
	shareOwners(w)
	if n := testing.AllocsPerRun(100, func() { Decide(&w.Snapshot) }); n > 6 {
		t.Errorf("a decision about three pods that lack nothing takes %.0f allocations", n)
	}
}
