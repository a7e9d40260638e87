package adapters_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestTooMuch: a plan with more than the contract allows is refused whole, and nothing of it is kept.
func TestTooMuch(t *testing.T) {
	for name, test := range map[string]struct {
		id      string
		actions int
		refused bool
	}{
		"the longest id": {strings.Repeat("a", 1024), 2, false},
		"a longer one":   {strings.Repeat("a", 1025), 2, true},
		"the longest":    {"a", 20_000, false},
		"a longer":       {"a", 20_001, true},
	} {
		steps := slices.Repeat([]*setplanv1.Step{step(create(test.id))}, test.actions-1)
		w := newWorld(planOf(stage(replicas, abort, step(create("b"))), stage(replicas, abort, steps...)))
		_, err := reconcile(t, w.loop(adapters.Options{}))
		if log := w.take(); slices.Contains(log, "b") == test.refused || (grpcstatus.Code(errors.Unwrap(err)) == codes.Internal) != test.refused {
			t.Errorf("%s: %.200v, %v", name, log, err)
		}
	}
}

// TestRefusedOutcomesAreForgotten: what is reported may be why a planner refuses, so it is reported no more.
func TestRefusedOutcomesAreForgotten(t *testing.T) {
	for code, kept := range map[codes.Code]int{codes.InvalidArgument: 0, codes.ResourceExhausted: 0, codes.Unavailable: 1} {
		w := newWorld(planOf(stage(replicas, abort, step(create("a")))))
		w.fails["a"] = errors.New("no")
		loop := w.loop(adapters.Options{})
		_, _ = reconcile(t, loop)
		w.planErr = grpcstatus.Error(code, "not this")
		_, _ = reconcile(t, loop)
		_, _ = reconcile(t, loop)
		if told := w.requests[2].GetSnapshot().GetOutcomes(); len(told) != kept {
			t.Errorf("%s: %d outcomes are sent", code, len(told))
		}
	}
}

// TestDroppedEnds: once the fence does not hold any more no action of the plan waits for its turn, whatever it does.
func TestDroppedEnds(t *testing.T) {
	for _, parallelism := range []int{1, 20} {
		w := newWorld(wide(500))
		turns := 0
		turn := func(ctx context.Context, _ adapters.Key) (func(), error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if turns++; turns == 3 {
				w.set.Generation++ // its user edits it
			}
			w.now = w.now.Add(100 * time.Millisecond)
			return func() {}, ctx.Err()
		}
		_, err := reconcile(t, w.loop(adapters.Options{Turn: turn, Parallelism: parallelism}))
		if !errors.Is(err, adapters.ErrPlanDropped) || turns > 50 {
			t.Errorf("%d turns were taken: %v", turns, err)
		}
	}
}

// TestCreatesDoNotAge: a plan that takes longer than it holds still makes what it makes; only what it would take away is too old.
func TestCreatesDoNotAge(t *testing.T) {
	w := newWorld(planOf(stage(replicas, abort, step(create("a")), step(create("b")), step(create("c")))))
	w.onApply = func(string) { w.pass(2 * time.Minute) }
	_, err := reconcile(t, w.loop(adapters.Options{Parallelism: 1}))
	if log := w.take(); err != nil || !slices.Contains(log, "c") {
		t.Errorf("%v, %v", log, err)
	}
}
