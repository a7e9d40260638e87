package adapters

import (
	"context"
	"fmt"
	"sync"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// runStage runs the steps of a stage, side by side unless the options say otherwise, and reports whether one failed. A
// failed step does not stop the others.
func (r *application) runStage(ctx context.Context, stage *setplanv1.Stage) (failed bool) {
	if action := unknown(stage); action != nil {
		// Nothing of the stage is done: half of something nobody here understands is worse than none of it.
		r.finish(action, Result{
			Err:     fmt.Errorf("%w; phase %s is refused", ErrUnknownOperation, stage.GetPhase()),
			Outcome: setplanv1.OutcomeResult_OUTCOME_RESULT_ERROR,
		})
		return true
	}
	if action := unknownGuard(stage); action != nil {
		r.finish(action, Result{
			Err:     fmt.Errorf("%w; phase %s is refused", ErrUnknownGuard, stage.GetPhase()),
			Outcome: setplanv1.OutcomeResult_OUTCOME_RESULT_ERROR,
		})
		return true
	}
	if r.refused(stage) {
		return true
	}
	before := len(r.failures)
	results := r.runSteps(ctx, stage.GetSteps())
	for _, err := range results {
		if err != nil {
			r.failures = append(r.failures, err)
		}
	}
	return len(r.failures) > before
}

// runSteps returns one error per step, by position, so that the result does not depend on which ended first.
func (r *application) runSteps(ctx context.Context, steps []*setplanv1.Step) []error {
	errs := make([]error, len(steps))
	if r.loop.options.Parallelism == 1 || len(steps) == 1 {
		for i, step := range steps {
			errs[i] = r.runStep(ctx, step)
		}
		return errs
	}
	slots := make(chan struct{}, r.loop.options.Parallelism)
	var running sync.WaitGroup
	for i, step := range steps {
		if ctx.Err() != nil {
			break // dropped, or told to stop
		}
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			errs[i] = r.runStep(ctx, step)
		})
	}
	running.Wait()
	return errs
}

// runStep runs the actions of a step in order and ends at the first that fails, or when the loop is told to stop.
func (r *application) runStep(ctx context.Context, step *setplanv1.Step) error {
	for _, action := range step.GetActions() {
		done, err := r.awaitTurn(ctx)
		if err != nil {
			return nil // the caller sees the context too; this is no failure of the action
		}
		if err := r.inTurn(ctx, action, done); err != nil {
			return err
		}
	}
	return nil
}

// awaitTurn returns when an action may begin; done must be called when it is over.
func (r *application) awaitTurn(ctx context.Context) (done func(), err error) {
	if err := ctx.Err(); err != nil || r.loop.options.Turn == nil {
		return func() {}, err
	}
	r.asking.Lock()
	defer r.asking.Unlock()
	return r.loop.options.Turn(ctx, r.key)
}

// inTurn carries out an action whose turn has come, if it is still meant.
func (r *application) inTurn(ctx context.Context, action *setplanv1.Action, done func()) error {
	defer done()
	if err := r.stillMeant(ctx, action); err != nil {
		return err
	}
	result := r.runAction(ctx, action)
	if mayHaveBound(action, result) {
		target := action.GetTarget()
		r.loop.gate.addUnanswered(r.key, Write{Kind: target.GetKind(), Name: target.GetName(), UID: action.GetPrecondition().GetUid()})
	}
	r.tell(action, result)
	if result.Err != nil {
		return fmt.Errorf("%s %s: %w", OperationName(action), action.GetTarget().GetName(), result.Err)
	}
	return nil
}

// runAction carries out one action. Once begun it is finished: cancellation is looked at between actions only, but for the
// end of the term, after which nothing of ours may be written.
func (r *application) runAction(ctx context.Context, action *setplanv1.Action) Result {
	if err := r.loop.refuses(r.key, action); err != nil {
		return Result{Err: err, Outcome: setplanv1.OutcomeResult_OUTCOME_RESULT_REJECTED}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.loop.options.ActionTimeout)
	defer cancel()
	defer context.AfterFunc(TermOf(ctx), cancel)()
	return r.loop.executor.Apply(ctx, r.key, action)
}

// finish is tell for a failure that no step returns.
func (r *application) finish(action *setplanv1.Action, result Result) {
	r.tell(action, result)
	r.failures = append(r.failures, result.Err)
}

// tell passes a result on to everybody who keeps something about it.
func (r *application) tell(action *setplanv1.Action, result Result) {
	if result.Write != nil {
		r.wrote.Add(1)
		r.loop.gate.add(r.key, *result.Write)
	}
	r.loop.outcomes.record(r.key, action.GetId(), result)
	r.loop.observer.Applied(r.key, r.snapshot, action, result)
}

// mayHaveBound reports whether a failed action may have given a claim to a pod all the same. Whoever does not know deletes that pod, and
// the claim with it. What else may have been done does no such harm: it is tried again, and found to be done.
func mayHaveBound(action *setplanv1.Action, result Result) bool {
	_, owners := action.GetOperation().(*setplanv1.Action_SetClaimOwners)
	return owners && result.Outcome == setplanv1.OutcomeResult_OUTCOME_RESULT_ERROR
}
