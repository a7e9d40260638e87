package adapters_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// underWay is an executor that is told to stop during an action.
type underWay struct {
	*world
	stop     context.CancelFunc
	cut      error // the error of the action's own context afterwards
	deadline bool
}

func (u *underWay) Apply(ctx context.Context, key adapters.Key, action *setplanv1.Action) adapters.Result {
	u.stop()
	u.cut = ctx.Err()
	_, u.deadline = ctx.Deadline()
	return u.world.Apply(ctx, key, action)
}

// TestShutdownCutsNoAction: a write without an answer is worse than a short delay, so the current action does not see that the
// loop is told to stop. It still has a deadline.
func TestShutdownCutsNoAction(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w := newWorld(planOf(stage(replicas, abort, step(create("a"), create("b")))))
	u := &underWay{world: w, stop: cancel}
	_, err := adapters.NewLoop(w, u, w, w, adapters.Options{Clock: func() time.Time { return start }, Parallelism: 1}).Reconcile(ctx, key)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if u.cut != nil || !u.deadline {
		t.Errorf("the context of the action: %v, a deadline: %t", u.cut, u.deadline)
	}
}
