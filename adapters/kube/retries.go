package kube

import (
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Back-off of a set whose pass ended with an error: each wait is twice the last, and none of two sets is the same.
const (
	firstRetry = 50 * time.Millisecond
	// lastRetry is for what the set itself, its namespace or the API server is the reason of. What changes about its objects is
	// looked at before.
	lastRetry = 5 * time.Minute
	// lastCall is for a planner that is away, which concerns every set: how long one may stay still after it has come back.
	lastCall = 15 * time.Second
	// firstCall is for a planner that has too much to do, and does not say when to come again: more questions are no help to it.
	firstCall = time.Second
)

const (
	// failuresInARow is from when on a set takes part in the budget that failing sets share, whoever asks for the pass. A
	// refusal by the API server counts as many.
	failuresInARow = 3
	// slowPass makes a set slow until a pass is shorter.
	slowPass        = 2 * time.Second
	jitter          = 0.25 // of a wait, more or less
	doublingsAtMost = 20
)

// Retries remembers which sets fail or are slow, and says when they may be tried again. Sets that do neither cost nothing.
type Retries struct {
	clock  func() time.Time
	budget *retryBudget

	mu   sync.Mutex
	sets map[adapters.Key]trouble
}

// trouble is what is the matter with one set.
type trouble struct {
	failures int  // in a row, for reasons of its own
	calls    int  // in a row, that the planner has not answered, or had no room for
	slow     bool // its last pass took long
	held     bool // its last pass ended at a closed gate or a hold
}

func (t trouble) failing() bool { return t.failures >= failuresInARow }

// NewRetries makes a memory of nothing. The controller that uses it says how a set is woken.
func NewRetries(clock func() time.Time) *Retries {
	return &Retries{clock: clock, budget: newRetryBudget(), sets: map[adapters.Key]trouble{}}
}

// slow reports whether a set is one of those that share a few of the workers.
func (r *Retries) slow(key adapters.Key) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.sets[key]
	return t.slow || t.failing()
}

// begin reports whether a pass may begin. A failing set has to have its turn in the budget; where that has not come, the set is
// woken once it has.
func (r *Retries) begin(key adapters.Key) bool {
	r.mu.Lock()
	failing := r.sets[key].failing()
	r.mu.Unlock()
	return !failing || r.budget.take(key)
}

// keep is called after begin when the pass has to wait all the same: the set does not have to ask for its turn again.
func (r *Retries) keep(key adapters.Key) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sets[key].failing() {
		r.budget.keep(key)
	}
}

// ended notes how a pass went, and says after what time the set is to be tried again; 0 where it did not fail. answered is
// when the planner has last answered, any set: a call that it let run out of time while it answered others is that set's fault.
func (r *Retries) ended(key adapters.Key, err error, began, answered time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.sets[key]
	held := t.held
	t.held = false
	busy := errors.Is(err, adapters.ErrPlannerBusy)
	t.slow = !busy && r.clock().Sub(began) >= slowPass
	var after time.Duration
	switch {
	case busy: // which says nothing about the set
		asked, _ := adapters.ComeAgain(err)
		after = max(backOff(t.calls, lastCall), later(min(max(asked, firstCall), lastRetry)))
		t.calls++
	case err == nil && held: // it was not tried: nothing is known of whether it fails
	case err == nil:
		t.failures, t.calls = 0, 0
		r.budget.leave(key)
	case errors.Is(err, adapters.ErrPlannerUnreachable) && answered.Before(began):
		after = backOff(t.calls, lastCall)
		t.calls++
	default:
		after = backOff(t.failures, lastRetry)
		t.failures++
		if outcomeOf(err) == setplanv1.OutcomeResult_OUTCOME_RESULT_REJECTED {
			t.failures = max(t.failures, failuresInARow) // a quota or an admission policy does not pass by itself
		}
	}
	if t == (trouble{}) {
		delete(r.sets, key)
	} else {
		r.sets[key] = t
	}
	return after
}

// backOff is the wait after so many failures before this one.
func backOff(before int, last time.Duration) time.Duration {
	return around(min(firstRetry<<min(before, doublingsAtMost), last))
}

func around(wait time.Duration) time.Duration {
	return time.Duration(float64(wait) * (1 - jitter + 2*jitter*rand.Float64()))
}

// later is what somebody asks to wait, or more, by as much as a wait differs from another.
func later(wait time.Duration) time.Duration {
	return time.Duration(float64(wait) * (1 + jitter*rand.Float64()))
}

var _ adapters.Observer = (*Retries)(nil)

// Held implements adapters.Observer: a pass that ends at a closed gate, or because another controller writes, is no success.
func (r *Retries) Held(key adapters.Key, reason string, _ error) {
	if reason != adapters.ReasonGate && reason != adapters.ReasonForeignWriter {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if t, known := r.sets[key]; known {
		t.held = true
		r.sets[key] = t
	}
}

// Forgotten implements adapters.Observer.
func (r *Retries) Forgotten(key adapters.Key) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.budget.leave(key)
	delete(r.sets, key)
}

// Planned implements adapters.Observer.
func (r *Retries) Planned(adapters.Key, *setplanv1.Snapshot, *setplanv1.Plan) {}

// Applied implements adapters.Observer.
func (r *Retries) Applied(adapters.Key, *setplanv1.Snapshot, *setplanv1.Action, adapters.Result) {}
