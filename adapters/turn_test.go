package adapters_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// wide makes a plan of one stage with this many steps.
func wide(steps int) *setplanv1.Plan {
	all := make([]*setplanv1.Step, steps)
	for i := range all {
		all[i] = step(create(string(rune('a'+i/26)) + string(rune('a'+i%26))))
	}
	return planOf(stage(replicas, abort, all...))
}

// TestTurnIsNoTimeOfTheAction: an action that waits long for its turn still has all its time when it begins, and does not fail.
func TestTurnIsNoTimeOfTheAction(t *testing.T) {
	const timeout = 200 * time.Millisecond
	w := newWorld(wide(5))
	var turns, over atomic.Int32
	loop := w.loop(adapters.Options{ActionTimeout: timeout, Turn: func(context.Context, adapters.Key) (func(), error) {
		time.Sleep(time.Duration(turns.Add(1)) * timeout / 2)
		return func() { over.Add(1) }, nil
	}})
	w.onApply = func(string) {}
	if _, err := reconcile(t, loop); err != nil {
		t.Fatal(err)
	}
	if got := w.take(); len(got) != 7 || slices.ContainsFunc(got, func(what string) bool { return len(what) > 2 && what != "planned" && what != "fence" }) {
		t.Errorf("got %v, want five finished actions", got)
	}
	if turns.Load() != 5 || over.Load() != 5 {
		t.Errorf("%d turns have come, and %d are over", turns.Load(), over.Load())
	}
	if left := w.leastTime(); left < timeout/2 {
		t.Errorf("an action had only %s left when it began", left)
	}
}

// TestTurnEnds: actions that wait when the loop is told to stop do not begin, and do not count as failed.
func TestTurnEnds(t *testing.T) {
	w := newWorld(wide(50))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var through atomic.Int32
	loop := w.loop(adapters.Options{Turn: func(ctx context.Context, _ adapters.Key) (func(), error) {
		if through.Add(1) <= 3 {
			return func() {}, nil
		}
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	if _, err := loop.Reconcile(ctx, key); err == nil {
		t.Error("the plan was finished")
	}
	if got := w.take(); len(got) > 2+3 || slices.ContainsFunc(got, func(what string) bool { return len(what) > 7 }) {
		t.Errorf("got %v, want three actions and no failure", got)
	}
	if report := w.requests[0].GetSnapshot().GetOutcomes(); len(report) != 0 {
		t.Errorf("outcomes %v", report)
	}
}

// TestOneActionAsksForATurn: a set with many actions stands in line with one of them, so that it has no more turns than others.
func TestOneActionAsksForATurn(t *testing.T) {
	w := newWorld(wide(20))
	var asking atomic.Int32
	loop := w.loop(adapters.Options{Parallelism: 20, Turn: func(context.Context, adapters.Key) (func(), error) {
		defer asking.Add(-1)
		if n := asking.Add(1); n > 1 {
			t.Errorf("%d actions ask at once", n)
		}
		time.Sleep(time.Millisecond)
		return func() {}, nil
	}})
	if _, err := reconcile(t, loop); err != nil {
		t.Fatal(err)
	}
}
