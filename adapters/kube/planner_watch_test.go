package kube

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/setplan/setplan/adapters"
)

// TestPlannerAway checks when the holder of the lease gives it up.
func TestPlannerAway(t *testing.T) {
	const patience = 300 * time.Millisecond
	away, there := errors.New("connection refused"), error(nil)
	unreachable := func(w *plannerWatch) { w.Held(webKey, adapters.ReasonPlannerUnreachable, away) }
	tests := []struct {
		name, reason string
		probe        error
		do           func(*plannerWatch)
		want         bool
	}{
		{"nothing to plan", "nothing is missing, and nobody is asked", away, func(*plannerWatch) {}, false},
		{"away", "", away, unreachable, true},
		{"slow with a set", "one set whose plan takes too long is no reason to stop the others", there, unreachable, false},
		{"answers another", "the planner is there", away, func(w *plannerWatch) { unreachable(w); w.Planned(webKey, nil, nil) }, false},
		{"busy", "a planner that asks us to come again is there", away, func(w *plannerWatch) { unreachable(w); w.Held(webKey, adapters.ReasonPlannerBusy, away) }, false},
		{"refuses", "a planner that refuses is there", away, func(w *plannerWatch) { unreachable(w); w.Held(webKey, adapters.ReasonPlannerRefused, away) }, false},
		{"lies", "a planner that lies is there", away, func(w *plannerWatch) { unreachable(w); w.Held(webKey, adapters.ReasonReplan, away) }, false},
		{"held by the guard", "that is not the planner's fault", away, func(w *plannerWatch) { w.Held(webKey, adapters.ReasonForeignWriter, away) }, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(context.Background(), 10*patience)
			defer cancel()
			var probes atomic.Int64
			w := newPlannerWatch(func(context.Context) error { probes.Add(1); return test.probe }, patience)
			time.AfterFunc(patience/10, func() { test.do(w) })
			if err := w.untilAway(ctx); (err != nil) != test.want {
				t.Errorf("%s: got %v", test.reason, err)
			}
			if test.name == "nothing to plan" && probes.Load() > 0 {
				t.Error("the planner was asked without need")
			}
		})
	}
}
