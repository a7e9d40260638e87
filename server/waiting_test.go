package server

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// queued lets each caller wait for a turn, gives out the turns one by one, and returns their order.
func queued(a *admission, each time.Duration, callers ...*caller) (order []*caller) {
	a.mu.Lock()
	defer a.mu.Unlock()
	taken := a.turns
	a.taken = taken // no caller gets a turn yet
	waiters := map[*waiter]bool{}
	for _, c := range callers {
		w := &waiter{caller: c, stage: stageBegin, bytes: 1}
		a.queue(w)
		waiters[w] = true
	}
	for range callers {
		a.taken--
		a.share()
		for w := range waiters {
			select {
			case <-w.given:
				order = append(order, w.caller)
				a.charge(w.caller, each)
				delete(waiters, w)
			default:
			}
		}
	}
	return order
}

func still(t *testing.T) *admission {
	a := newAdmission(plainInflightBytes, newAdmissionMetrics(nil))
	now := time.Now()
	a.clock = func() time.Time { return now }
	a.turns = 1
	return a
}

// TestTurnsGoRound: a caller's first call is served before another's tenth.
func TestTurnsGoRound(t *testing.T) {
	x, y := &caller{}, &caller{}
	names := map[*caller]string{x: "x", y: "y"}
	for what, each := range map[string]time.Duration{"by what they have used": time.Millisecond, "by when they were served": 0} {
		got := ""
		for _, c := range queued(still(t), each, x, x, x, x, y, y) {
			got += names[c]
		}
		if diff := cmp.Diff("xyxyxx", got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
		*x, *y = caller{}, caller{}
	}
}

// TestUseIsForgotten: some time after a flood its caller counts like any other.
func TestUseIsForgotten(t *testing.T) {
	a, c := still(t), &caller{}
	a.charge(c, time.Second)
	now := a.clock()
	for after, greedy := range map[time.Duration]bool{0: true, halfLife: true, 10 * halfLife: false} {
		before := *c
		a.clock = func() time.Time { return now.Add(after) }
		if got := a.greedy(c); got != greedy {
			t.Errorf("after %s greedy is %v, want %v", after, got, greedy)
		}
		*c = before
	}
}

// TestGreedyLeavesMemory: a quarter of the memory is for callers who have had little.
func TestGreedyLeavesMemory(t *testing.T) {
	a, greedy, modest := still(t), &caller{}, &caller{}
	a.charge(greedy, time.Second)
	a.held = a.bytes/4*3 - memoryAtLeast/2
	need := a.need(0, false)
	for c, fits := range map[*caller]bool{greedy: false, modest: true} {
		if got := a.fits(&waiter{caller: c, stage: stageBegin, bytes: need}); got != fits {
			t.Errorf("greedy: %v; fits is %v", c == greedy, got)
		}
	}
}

// TestAloneTakesEveryTurn: without other callers no turn is kept for them.
func TestAloneTakesEveryTurn(t *testing.T) {
	a, c := still(t), &caller{}
	a.turns, a.taken = 2, 1
	if err := a.enter(c); err != nil {
		t.Fatal(err)
	}
	now := a.clock()
	for after, may := range map[time.Duration]bool{0: false, company: true} {
		a.clock = func() time.Time { return now.Add(after) }
		a.charge(c, time.Minute)
		if err := a.enter(c); err != nil {
			t.Fatal(err)
		}
		if got := a.fits(&waiter{caller: c, stage: stageResume}); got != may {
			t.Errorf("%s after somebody else called, may take the last turn: %v", after, got)
		}
		*c = caller{}
	}
}

// TestAnyRequestFits: the largest request needs no more than even a greedy caller may have.
func TestAnyRequestFits(t *testing.T) {
	a, c := still(t), &caller{}
	a.charge(c, time.Hour)
	if !a.fits(&waiter{caller: c, stage: stageBegin, bytes: a.need(maxMaxMessageBytes, false)}) {
		t.Error("the largest request would wait for ever")
	}
	if !a.fits(&waiter{caller: c, stage: stageRead, bytes: maxMaxMessageBytes}) {
		t.Error("the largest request would never be read")
	}
}
