package adapters_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/setplan/setplan/adapters"
)

// TestLongTurnAndFence: the fence is checked again if a delete has waited long for its turn.
func TestLongTurnAndFence(t *testing.T) {
	for _, row := range []struct {
		waits time.Duration
		want  bool
	}{{10 * time.Millisecond, true}, {time.Minute / 4, false}} {
		w := newWorld(planOf(stage(replicas, abort, step(remove("a"), remove("b"))))).drains()
		turns, over := 0, 0
		loop := w.loop(adapters.Options{Turn: func(context.Context, adapters.Key) (func(), error) {
			if turns++; turns == 2 {
				w.now = w.now.Add(row.waits)
				w.set.Policy = adapters.PolicyOf(nil) // the policy is removed meanwhile
			}
			return func() { over++ }, nil
		}})
		_, err := reconcile(t, loop)
		log := w.take()
		if slices.Contains(log, "b") != row.want || (err == nil) != row.want {
			t.Errorf("after %s: %v, %v", row.waits, log, err)
		}
		if over != turns {
			t.Errorf("after %s: %d turns have come, and %d are over", row.waits, turns, over)
		}
		if told := slices.Contains(log, "held: "+adapters.ReasonFence); told == row.want {
			t.Errorf("after %s the observer was told: %v", row.waits, log)
		}
	}
}

// TestLongStageAndFence: the fence is checked again before a delete that comes long after the stage began, whatever kept it.
func TestLongStageAndFence(t *testing.T) {
	for _, row := range []struct {
		takes time.Duration
		want  bool
	}{{10 * time.Millisecond, true}, {5 * time.Second, false}} {
		w := newWorld(planOf(stage(replicas, abort, step(remove("a")), step(remove("b")), step(remove("c"))))).drains()
		w.onApply = func(name string) {
			if name == "a" {
				w.now = w.now.Add(row.takes)
				w.set.Generation++ // scaled up again meanwhile
			}
		}
		_, err := reconcile(t, w.loop(adapters.Options{Parallelism: 1}))
		log := w.take()
		for _, name := range []string{"b", "c"} {
			if slices.Contains(log, name) != row.want {
				t.Errorf("after %s: %v, %v", row.takes, log, err)
			}
		}
		told := 0
		for _, line := range log {
			if line == "held: "+adapters.ReasonFence {
				told++
			}
		}
		if (told == 1) == row.want {
			t.Errorf("after %s the observer was told %d times: %v", row.takes, told, log)
		}
	}
}

// TestStopIsNoAbsence: a call that ends because this adapter is told to stop says nothing about the planner.
func TestStopIsNoAbsence(t *testing.T) {
	w := newWorld(nil)
	w.planErr = context.Canceled
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := w.loop(adapters.Options{}).Reconcile(ctx, key)
	if log := w.take(); len(log) > 0 || !errors.Is(err, context.Canceled) || errors.Is(err, adapters.ErrPlannerUnreachable) {
		t.Errorf("%v, %v", log, err)
	}
}

// TestFenceAndNeighbours: a plan is dropped if another set with the same claim names has appeared since.
func TestFenceAndNeighbours(t *testing.T) {
	w := newWorld(planOf(stage(replicas, abort, step(remove("a"))))).drains()
	w.set.Neighbours = "c www"
	_, err := reconcile(t, w.loop(adapters.Options{}))
	if log := w.take(); !errors.Is(err, adapters.ErrPlanDropped) || slices.Contains(log, "a") || !slices.Contains(log, "held: "+adapters.ReasonFence) {
		t.Errorf("%v, %v", log, err)
	}
}
