package server

import (
	"context"
	"slices"
	"time"
)

const (
	// slice is how long a call has its turn before it looks who waits.
	slice = time.Millisecond
	// lead is how much more than another's a caller's use may be before it makes room: calls that are alike do not change
	// places all the time.
	lead = 5 * time.Millisecond
)

// turn is a call that has begun: it holds memory and, but for the time that it is paused, a processor.
type turn struct {
	of     *admission
	caller *caller
	// forecast: it has a share of its own.
	forecast bool
	bytes    int64
	since    time.Time // when it was last charged for
	paused   bool
}

// begin waits for the memory that a request of so many bytes may take, and for a turn.
func (a *admission) begin(ctx context.Context, c *caller, size int, forecast bool) (*turn, error) {
	w := &waiter{caller: c, stage: stageBegin, forecast: forecast, bytes: a.need(size, forecast)}
	if err := a.await(ctx, w); err != nil {
		return nil, err
	}
	return &turn{of: a, caller: c, forecast: forecast, bytes: w.bytes, since: a.clock()}, nil
}

// pause gives the turn to a call that goes before, if one waits, and comes back when it is this one's turn again. The engine
// calls it a few times a millisecond.
func (t *turn) pause(ctx context.Context) {
	a := t.of
	now := a.clock()
	if t.paused || now.Sub(t.since) < slice {
		return
	}
	a.mu.Lock()
	t.charge(now)
	if !t.owes() {
		a.mu.Unlock()
		return
	}
	w := t.comesBack()
	a.turn(t.forecast, -1)
	a.queue(w)
	a.share()
	a.mu.Unlock()
	t.await(ctx, w)
}

// leave gives the turn away while something else than planning is done, such as to wait for the caller, and comes back after it.
func (t *turn) leave(ctx context.Context, during func() error) error {
	if t.paused {
		return during()
	}
	a := t.of
	a.mu.Lock()
	t.charge(a.clock())
	a.turn(t.forecast, -1)
	a.share()
	a.mu.Unlock()
	err := during()
	w := t.comesBack()
	a.mu.Lock()
	a.queue(w)
	a.share()
	a.mu.Unlock()
	t.await(ctx, w)
	return err
}

func (t *turn) comesBack() *waiter {
	return &waiter{caller: t.caller, stage: stageResume, forecast: t.forecast}
}

// await waits for the turn to come back. If the caller goes first, it does not.
func (t *turn) await(ctx context.Context, w *waiter) {
	select {
	case <-w.given:
	case <-ctx.Done():
		_ = t.of.giveUp(w, nil)
		t.paused = true // for good: who asked has gone, and the decision ends
	}
	t.since = t.of.clock()
}

// owes reports whether the turn has to be given away.
func (t *turn) owes() bool {
	a := t.of
	greedy := a.greedy(t.caller)
	mine := t.comesBack()
	return greedy && a.taken > a.mayTurn(t.caller) || slices.ContainsFunc(a.waiting, func(w *waiter) bool {
		return w.stage != stageRead && (greedy && !a.greedy(w.caller) || a.used(w, mine)+lead < a.used(mine, w))
	})
}

func (t *turn) charge(now time.Time) {
	t.of.charge(t.caller, now.Sub(t.since))
	if t.forecast {
		t.of.foreseen.all.charge(now, now.Sub(t.since))
	}
	t.since = now
}

// end gives back the turn and the memory.
func (t *turn) end() {
	a := t.of
	a.mu.Lock()
	defer a.mu.Unlock()
	if !t.paused {
		t.charge(a.clock())
		a.turn(t.forecast, -1)
	}
	a.reserve(t.caller, t.forecast, -t.bytes)
	a.share()
}
