package adapters_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
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
