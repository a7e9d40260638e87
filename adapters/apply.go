package adapters

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/setplan/setplan/adapters/verify"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// application is one plan on its way into the cluster.
type application struct {
	loop     *Loop
	key      Key
	snapshot *setplanv1.Snapshot
	plan     *setplanv1.Plan
	verifier *verify.Verifier

	begun    bool                          // a stage was started: the fence was checked once
	stopped  bool                          // a stage failed with STOP: only always_run stages are left
	skipped  map[setplanv1.StagePhase]bool // phases in which a stage failed with SKIP_PHASE
	failures []error
	asking   sync.Mutex   // one action at a time waits for its turn: a set with many has no more turns than others
	checked  atomic.Int64 // when the fence was checked last, in nanoseconds
	wrote    atomic.Int64 // actions that wrote something
	dropped  sync.Once    // an action has waited so long that the plan is not meant any more
	end      func()       // then nothing more of it is begun
}

// apply carries out the stages in order. Its error is what the caller backs off for: actions that failed, or a plan that
// was dropped because the world had moved.
func (l *Loop) apply(ctx context.Context, key Key, snapshot *setplanv1.Snapshot, plan *setplanv1.Plan) (wrote int, err error) {
	meant, end := context.WithCancel(ctx)
	defer end()
	r := &application{loop: l, key: key, snapshot: snapshot, plan: plan, verifier: verify.Against(snapshot), skipped: map[setplanv1.StagePhase]bool{}, end: end}
	for _, stage := range plan.GetStages() {
		if r.passes(stage) {
			continue
		}
		if err := r.mayStart(ctx, stage); err != nil {
			return 0, err
		}
		failed := r.runStage(meant, stage)
		if err := ctx.Err(); err != nil {
			return 0, fmt.Errorf("plan for %s was not finished: %w", key, err)
		}
		if meant.Err() != nil || failed && !r.goOnAfterFailure(stage) {
			break
		}
	}
	return int(r.wrote.Load()), r.result()
}

// passes reports whether earlier failures leave the stage out, or there is nothing in it.
func (r *application) passes(stage *setplanv1.Stage) bool {
	return len(stage.GetSteps()) == 0 || r.skipped[stage.GetPhase()] || (r.stopped && !stage.GetAlwaysRun())
}

// mayStart checks what must hold before a stage. An error drops the rest of the plan, stages marked always_run included:
// their content was computed for a world that is no more.
func (r *application) mayStart(ctx context.Context, stage *setplanv1.Stage) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("plan for %s was not finished: %w", r.key, err)
	}
	if !r.begun || deletes(stage) {
		if reason, err := r.checkFenceAndGuard(ctx); err != nil {
			return r.drop(reason, err)
		}
		r.begun = true
	}
	if err := r.checkLiveSet(ctx, stage); err != nil {
		return r.drop(ReasonLiveSet, err)
	}
	return nil
}

func (r *application) drop(reason string, err error) error {
	r.loop.observer.Held(r.key, reason, err)
	return fmt.Errorf("%w: %s: %w", ErrPlanDropped, reason, err)
}

// goOnAfterFailure notes what the failure of a stage means and reports whether any later stage may run at all.
func (r *application) goOnAfterFailure(stage *setplanv1.Stage) bool {
	switch stage.GetOnFailure() {
	case setplanv1.OnFailure_ON_FAILURE_STOP:
		r.stopped = true
		return true
	case setplanv1.OnFailure_ON_FAILURE_SKIP_PHASE:
		r.skipped[stage.GetPhase()] = true
		return true
	default: // ABORT; and what this build does not know is treated with the same care
		return false
	}
}

func (r *application) result() error {
	if len(r.failures) == 0 {
		return nil
	}
	return fmt.Errorf("actions of the plan for %s failed (%d), the first: %w", r.key, len(r.failures), r.failures[0])
}
