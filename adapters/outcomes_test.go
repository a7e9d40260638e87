package adapters_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestLongFailure: an API server's message may be long. It is cut between two characters: half a character cannot be sent.
func TestLongFailure(t *testing.T) {
	for _, begin := range []string{"", "x"} { // in one of them the limit is inside a character
		w := newWorld(planOf(stage(replicas, abort, step(create("a")))))
		w.fails["a"] = errors.New(begin + strings.Repeat("ü", 1000))
		loop := w.loop(adapters.Options{})
		_, _ = reconcile(t, loop)
		_, _ = reconcile(t, loop)
		message := w.requests[1].GetSnapshot().GetOutcomes()[0].GetMessage()
		if !utf8.ValidString(message) || !strings.HasPrefix(message, begin+"ü") || len(message) > 600 {
			t.Errorf("%d bytes: %q", len(message), message)
		}
	}
}

// TestOutcomesFit: a set with more failures than the contract allows in a snapshot is still planned.
func TestOutcomesFit(t *testing.T) {
	const most = 10_000
	var steps []*setplanv1.Step
	w := newWorld(nil)
	for i := range most + 1 {
		id := fmt.Sprint("a", i)
		w.fails[id] = errors.New("no")
		steps = append(steps, step(create(id)))
	}
	w.plan = planOf(stage(replicas, abort, steps...))
	loop := w.loop(adapters.Options{})
	_, _ = reconcile(t, loop)
	_, _ = reconcile(t, loop)
	if sent := len(w.requests[1].GetSnapshot().GetOutcomes()); sent != most {
		t.Errorf("%d outcomes are sent", sent)
	}
}

// TestBudgetIsRemembered: a planner that waits before it asks a disruption budget again leaves the eviction out of its plans, and has to be told
// all the same. What nobody asks for any more is forgotten in time.
func TestBudgetIsRemembered(t *testing.T) {
	w := newWorld(planOf(stage(replicas, abort, step(create("a")))))
	w.fails["a"] = fmt.Errorf("guard: %w", errBudget)
	loop := w.loop(adapters.Options{})
	_, _ = reconcile(t, loop)
	began := w.now
	w.plan = planOf()
	for _, after := range []struct {
		wait time.Duration
		want int
	}{{0, 1}, {4 * time.Minute, 1}, {time.Minute, 1}, {0, 0}} {
		w.pass(after.wait)
		_, _ = reconcile(t, loop)
		told := w.requests[len(w.requests)-1].GetSnapshot().GetOutcomes()
		if len(told) != after.want {
			t.Fatalf("%s later, %d outcomes are sent", w.now.Sub(began), len(told))
		}
		if after.want > 0 && !told[0].GetTriedAt().AsTime().Equal(began) {
			t.Errorf("%s later it was tried at %s", w.now.Sub(began), told[0].GetTriedAt().AsTime())
		}
	}
}

// TestRefusedIsNoOutcome: a planner that lies has nothing remembered.
func TestRefusedIsNoOutcome(t *testing.T) {
	refused := create("a")
	refused.Target.Namespace = "elsewhere"
	w := newWorld(planOf(stage(replicas, abort, step(refused))))
	loop := w.loop(adapters.Options{})
	if _, err := reconcile(t, loop); err == nil {
		t.Fatal("nothing is refused")
	}
	_, _ = reconcile(t, loop)
	if outcomes := w.requests[1].GetSnapshot().GetOutcomes(); len(outcomes) > 0 {
		t.Errorf("%v", outcomes)
	}
}
