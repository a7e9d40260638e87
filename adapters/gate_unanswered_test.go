package adapters_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestUnansweredOwners: if a change of a claim's owners got no answer, nothing is planned until a read shows that the cache has
// the claim's newest version. Any other unanswered action is simply tried again.
func TestUnansweredOwners(t *testing.T) {
	const ownership = setplanv1.StagePhase_STAGE_PHASE_OWNERSHIP
	for name, test := range map[string]struct {
		action  *setplanv1.Action
		failure error
		behind  int // reads of the claim that find the cache behind
		want    []string
	}{
		"the cache has it":  {freeClaim("a"), errUnanswered, 0, []string{"read data-web-2", "planned", "fence", "a fails"}},
		"the cache lags":    {freeClaim("a"), errUnanswered, 2, []string{"read data-web-2", "held: gate", "read data-web-2", "held: gate", "read data-web-2", "planned", "fence", "a fails"}},
		"the API said no":   {freeClaim("a"), errors.New("no"), 0, []string{"planned", "fence", "a fails"}},
		"another operation": {remove("a"), errUnanswered, 0, []string{"planned", "fence", "a fails"}},
	} {
		w := newWorld(planOf(stage(ownership, abort, step(test.action))))
		w.drains() // so there is a claim
		w.fails["a"] = test.failure
		loop := w.loop(adapters.Options{})
		_, _ = reconcile(t, loop)
		w.take()
		for range test.behind {
			if after, err := reconcile(t, loop); after <= 0 || err != nil {
				t.Errorf("%s: next look after %s, error %v", name, after, err)
			}
			w.pass(time.Second)
		}
		w.current = true
		_, _ = reconcile(t, loop)
		if diff := cmp.Diff(test.want, w.take()); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// TestManyUnanswered: unanswered claims are read one after another until one is newer than in the cache.
func TestManyUnanswered(t *testing.T) {
	w := newWorld(planOf(stage(setplanv1.StagePhase_STAGE_PHASE_OWNERSHIP, abort, step(freeClaim("a")), step(freeClaim("b")))))
	w.drains()
	w.fails["a"], w.fails["b"] = errUnanswered, errUnanswered
	loop := w.loop(adapters.Options{Parallelism: 1})
	_, _ = reconcile(t, loop)
	w.take()
	_, _ = reconcile(t, loop)
	if diff := cmp.Diff([]string{"read data-web-2", "held: gate"}, w.take()); diff != "" {
		t.Error(diff)
	}
	w.current = true
	_, _ = reconcile(t, loop)
	if diff := cmp.Diff([]string{"read data-web-2", "read data-web-2", "planned", "fence", "a fails", "b fails"}, w.take()); diff != "" {
		t.Error(diff)
	}
}
