package kube

import (
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/setplan/setplan/adapters"
	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Back-off of a set whose pass ended with an error: each wait is twice the last, with jitter.
const (
	firstRetry = 50 * time.Millisecond
	// lastRetry bounds the wait after failures that come from the set, its namespace or the API server. Changes of its objects cause
	// earlier passes.
	lastRetry = 5 * time.Minute
	// lastCall bounds, with its jitter, the wait for a planner that is away, busy or fails, or refuses us or a snapshot: so long may a set wait for another one.
	lastCall = 15 * time.Second
	// lastLie bounds, with its jitter, the wait after a plan that was refused here or did not fit the set: the next one may be another planner's.
	lastLie = 4 * time.Second
	// lastAsked is the same without jitter, and the longest wait that a planner may ask for.
	lastAsked = lastCall * 4 / 5
	// firstCall is the first wait for an overloaded planner that does not say when to try again.
	firstCall = time.Second
)

const (
	// failuresInARow is the number of failures from which on a set needs a turn in the budget of failing sets, whoever asks for the
	// pass. A refusal by the API server counts as that many.
	failuresInARow = 3
	// slowPass makes a set slow until a pass is shorter.
	slowPass        = 2 * time.Second
	jitter          = 0.25 // of a wait, more or less
	doublingsAtMost = 20
)

// Retries remembers which sets fail or are slow, and says when to try them again. Other sets cost nothing.
type Retries struct {
	clock  func() time.Time
	budget *retryBudget

	mu   sync.Mutex
	sets map[adapters.Key]trouble
}

// trouble is the state of a set that fails or is slow.
type trouble struct {
	failures int  // in a row, for reasons of its own
	calls    int  // in a row that the planner did not answer, had no room for, refused, failed or lied in
	slow     bool // its last pass took long
	held     bool // its last pass ended at a closed gate or in a hold
}

func (t trouble) failing() bool { return t.failures >= failuresInARow }

// NewRetries makes an empty memory. The controller sets how a set is woken.
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

// begin reports whether a pass may begin. A failing set needs its turn in the budget, and is woken when that comes.
func (r *Retries) begin(key adapters.Key) bool {
	r.mu.Lock()
	failing := r.sets[key].failing()
	r.mu.Unlock()
	return !failing || r.budget.take(key)
}

// keep is called if the pass must wait after begin for another reason: the set then keeps its turn.
func (r *Retries) keep(key adapters.Key) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sets[key].failing() {
		r.budget.keep(key)
	}
}

// ended notes how a pass went, and returns when to try the set again; 0 if it did not fail.
func (r *Retries) ended(key adapters.Key, err error, began time.Time) time.Duration {
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
		after = max(backOff(t.calls, lastAsked), later(min(max(asked, firstCall), lastAsked)))
		t.calls++
	case err == nil && held: // it was not tried, so nothing is known
	case err == nil:
		t.failures, t.calls = 0, 0
		r.budget.leave(key)
	case errors.Is(err, adapters.ErrPlanDiffers), refusalOf(err) != nil, errors.Is(err, setplan.ErrAnswer), errors.Is(err, adapters.ErrPlanDropped):
		after = backOff(t.calls, lastLie)
		t.calls++
	case errors.Is(err, adapters.ErrCallerRefused), errors.Is(err, adapters.ErrPlannerUnreachable),
		status.Code(err) == codes.Internal, status.Code(err) == codes.InvalidArgument:
		after = backOff(t.calls, lastAsked)
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

// backOff is the wait after a number of failures before this one.
func backOff(before int, last time.Duration) time.Duration {
	return around(min(firstRetry<<min(before, doublingsAtMost), last))
}

func around(wait time.Duration) time.Duration {
	return time.Duration(float64(wait) * (1 - jitter + 2*jitter*rand.Float64()))
}

// later adds jitter to a wait that was asked for, and never shortens it.
func later(wait time.Duration) time.Duration {
	return time.Duration(float64(wait) * (1 + jitter*rand.Float64()))
}

var _ adapters.Observer = (*Retries)(nil)

// Held implements adapters.Observer: a pass that ends at a closed gate or in a hold is no success.
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
