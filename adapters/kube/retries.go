package kube

import (
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/time/rate"

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
)

// From the third failure in a row on, and from the first refusal by the API server, a set takes part in a budget that such
// sets share, whoever asks for the pass.
const (
	failuresInARow  = 3
	retriesASecond  = 10
	retriesAtOnce   = 100
	slowPass        = 2 * time.Second // a pass of this length makes a set slow until one is shorter
	longestTurn     = 30 * time.Second
	turnsAtOnce     = 50   // of one namespace, so that the others wait five seconds for it at most
	jitter          = 0.25 // of a wait, more or less
	doublingsAtMost = 20
)

// Retries remembers which sets fail or are slow, and says when they may be tried again. Sets that do neither cost nothing.
type Retries struct {
	clock  func() time.Time
	budget *rate.Limiter

	mu    sync.Mutex
	sets  map[adapters.Key]trouble
	turns map[string]int // how many sets of a namespace wait for theirs
}

// trouble is what is the matter with one set.
type trouble struct {
	failures int       // in a row, for reasons of its own
	calls    int       // in a row, that the planner has not answered
	slow     bool      // its last pass took long
	held     bool      // its last pass ended at a closed gate or a hold
	turn     time.Time // when the budget has something for it; zero while it has not asked
	reserved *rate.Reservation
}

func (t trouble) failing() bool { return t.failures >= failuresInARow }

// NewRetries makes a memory of nothing.
func NewRetries(clock func() time.Time) *Retries {
	return &Retries{clock: clock, budget: rate.NewLimiter(retriesASecond, retriesAtOnce), sets: map[adapters.Key]trouble{}, turns: map[string]int{}}
}

// slow reports whether a set is one of those that share a few of the workers.
func (r *Retries) slow(key adapters.Key) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.sets[key]
	return t.slow || t.failing()
}

// wait is how long a set has to wait for the budget before its pass; 0 where it may begin. Each pass costs once.
func (r *Retries) wait(key adapters.Key) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.sets[key]
	if !t.failing() {
		return 0
	}
	now := r.clock()
	if t.turn.IsZero() {
		turn := r.budget.ReserveN(now, 1)
		delay := turn.DelayFrom(now)
		if delay > longestTurn || r.turns[key.Namespace] >= turnsAtOnce { // nobody takes everybody's turns for long
			turn.CancelAt(now)
			return time.Duration(float64(longestTurn) * (1 - jitter + 2*jitter*rand.Float64()))
		}
		t.turn, t.reserved = now.Add(delay), turn
		r.turns[key.Namespace]++
	}
	wait := t.turn.Sub(now)
	if wait <= 0 {
		r.done(key, &t)
	}
	r.sets[key] = t
	return max(wait, 0)
}

// done ends a set's waiting for its turn.
func (r *Retries) done(key adapters.Key, t *trouble) {
	if t.turn.IsZero() {
		return
	}
	t.turn, t.reserved = time.Time{}, nil
	if r.turns[key.Namespace]--; r.turns[key.Namespace] == 0 {
		delete(r.turns, key.Namespace)
	}
}

// giveBack returns a turn that a set does not need any more.
func (r *Retries) giveBack(key adapters.Key, t *trouble) {
	if t.reserved != nil {
		t.reserved.CancelAt(r.clock())
	}
	r.done(key, t)
}

// ended notes how a pass went, and says after what time the set is to be tried again; 0 where it did not fail. answered is
// when the planner has last answered, any set: a call that it let run out of time while it answered others is that set's fault.
func (r *Retries) ended(key adapters.Key, err error, began, answered time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.sets[key]
	t.slow = r.clock().Sub(began) >= slowPass
	var after time.Duration
	switch {
	case err == nil && t.held:
		t.held = false // it was not tried: nothing is known of whether it fails
	case err == nil:
		t.failures, t.calls = 0, 0
		r.giveBack(key, &t)
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
	wait := min(firstRetry<<min(before, doublingsAtMost), last)
	return time.Duration(float64(wait) * (1 - jitter + 2*jitter*rand.Float64()))
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
	t := r.sets[key]
	r.giveBack(key, &t)
	delete(r.sets, key)
}

// Planned implements adapters.Observer.
func (r *Retries) Planned(adapters.Key, *setplanv1.Snapshot, *setplanv1.Plan) {}

// Applied implements adapters.Observer.
func (r *Retries) Applied(adapters.Key, *setplanv1.Snapshot, *setplanv1.Action, adapters.Result) {}
