package kube

import (
	"context"
	"sync"
	"time"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// plannerPatience is how long the holder of the lease waits for its planner before it lets another replica try.
const plannerPatience = 30 * time.Second

// plannerWatch finds out whether the planner is away for all sets: a plan was asked for, none has come for a while, and a question
// that concerns no set gets no answer either. One set whose plan takes too long is no reason to stop the others. If nothing is
// to be planned, nothing is missed.
type plannerWatch struct {
	probe    func(context.Context) error // nil: the planner is in this process
	patience time.Duration

	mu    sync.Mutex
	since time.Time // the first unanswered try since the last answer; zero after an answer
}

var _ adapters.Observer = (*plannerWatch)(nil)

func newPlannerWatch(probe func(context.Context) error, patience time.Duration) *plannerWatch {
	return &plannerWatch{probe: probe, patience: patience}
}

// reachable returns why the planner cannot be reached.
func (w *plannerWatch) reachable(ctx context.Context) error {
	if w.probe == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, w.patience/10)
	defer cancel()
	return w.probe(ctx)
}

// untilAway returns the reason when the planner is away, or nil when the context ends.
func (w *plannerWatch) untilAway(ctx context.Context) error {
	w.answered()
	look := time.NewTicker(w.patience / 10)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-look.C:
		}
		if !w.overdue() {
			continue
		}
		if err := w.reachable(ctx); err != nil && ctx.Err() == nil && w.overdue() {
			return err
		}
	}
}

func (w *plannerWatch) overdue() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.since.IsZero() && time.Since(w.since) >= w.patience
}

func (w *plannerWatch) answered() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.since = time.Time{}
}

// Planned implements adapters.Observer.
func (w *plannerWatch) Planned(adapters.Key, *setplanv1.Snapshot, *setplanv1.Plan) { w.answered() }

// Applied implements adapters.Observer.
func (w *plannerWatch) Applied(adapters.Key, *setplanv1.Snapshot, *setplanv1.Action, adapters.Result) {
}

// Held implements adapters.Observer. A planner that refuses, is busy or lies is there.
func (w *plannerWatch) Held(_ adapters.Key, reason string, _ error) {
	switch reason {
	case adapters.ReasonPlannerRefused, adapters.ReasonPlannerBusy, adapters.ReasonReplan:
		w.answered()
	case adapters.ReasonPlannerUnreachable:
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.since.IsZero() {
			w.since = time.Now()
		}
	}
}

// Forgotten implements adapters.Observer.
func (w *plannerWatch) Forgotten(adapters.Key) {}
