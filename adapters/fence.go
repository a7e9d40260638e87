package adapters

import (
	"context"
	"errors"
	"fmt"
	"time"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// checkFence ensures that the plan still fits the set and its current spec, and is not too old, if it ages. It reads the cache: it is meant to
// catch plans made from an older state of the cache.
func (r *application) checkFence(ctx context.Context, ages bool) (reason string, err error) {
	fence := r.plan.GetFence()
	if fence == nil {
		return ReasonFence, errors.New("the plan has no fence")
	}
	if isNewer(fence) {
		return ReasonFence, ErrUnknownGuard
	}
	set, err := r.loop.source.Set(ctx, r.key)
	if err != nil {
		return ReasonFence, err
	}
	switch {
	case set.UID != fence.GetSetUid():
		return ReasonFence, fmt.Errorf("the plan is for uid %s, the set has uid %s", fence.GetSetUid(), set.UID)
	case set.Policy != PolicyOf(r.snapshot.GetSet().GetAnnotations()):
		return ReasonFence, errors.New("the set's policy annotations have changed since the plan was requested")
	case set.Neighbours != NeighboursOf(r.snapshot.GetClaimNeighbours()):
		return ReasonFence, errors.New("another set with the same claim names was created or deleted since the plan was requested")
	case set.Generation != fence.GetGeneration():
		return ReasonFence, fmt.Errorf("the plan is for generation %d, the set is at %d", fence.GetGeneration(), set.Generation)
	}
	if maxAge := fence.GetMaxAge(); ages && maxAge != nil {
		age := r.loop.options.Clock().Sub(r.snapshot.GetObservedAt().AsTime())
		if age > maxAge.AsDuration() {
			return ReasonFence, fmt.Errorf("the snapshot is %s old, the plan holds for %s", age, maxAge.AsDuration())
		}
	}
	return "", nil
}

// checkFenceAndGuard is the check before a stage.
func (r *application) checkFenceAndGuard(ctx context.Context) (reason string, err error) {
	r.checked.Store(r.loop.options.Clock().UnixNano())
	if reason, err := r.checkFence(ctx, true); err != nil {
		return reason, err
	}
	if err := r.loop.guarded(ctx, r.key); err != nil {
		return ReasonForeignWriter, err
	}
	return "", nil
}

// longWait is a time after which the fence is checked again before an action: slow writes before it, or those of other sets, may stretch
// a stage to minutes (SPEC D6). Only a deletion may then be too old.
const longWait = time.Second

// stillMeant checks the fence again if it was checked long ago. If it does not hold, the plan ends.
func (r *application) stillMeant(ctx context.Context, action *setplanv1.Action) error {
	now := r.loop.options.Clock().UnixNano()
	if now-r.checked.Load() < int64(longWait) {
		return nil
	}
	if reason, err := r.checkFence(ctx, deletesAnything(action)); err != nil {
		r.dropped.Do(func() { r.loop.observer.Held(r.key, reason, err) }) // once for all steps of the plan
		r.end()
		return fmt.Errorf("%w: %s: %w", ErrPlanDropped, reason, err)
	}
	r.checked.Store(now)
	return nil
}

// checkLiveSet reads the set from the API server. An adoption that races with the deletion of its owner would hand the object to the garbage
// collector.
func (r *application) checkLiveSet(ctx context.Context, stage *setplanv1.Stage) error {
	if !stage.GetRequiresLiveSet() {
		return nil
	}
	set, err := r.loop.source.LiveSet(ctx, r.key)
	switch {
	case err != nil:
		return err
	case set.UID != r.snapshot.GetSet().GetUid():
		return fmt.Errorf("the plan is for uid %s, the set has uid %s", r.snapshot.GetSet().GetUid(), set.UID)
	case set.Deleting:
		return errors.New("the set is being deleted")
	}
	return nil
}
