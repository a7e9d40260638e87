package adapters

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// RequeueNow is the shortest positive wait: the caller requeues the key at once. 0 means "only when something changes".
const RequeueNow = time.Nanosecond

// leastRequeue is the shortest wait that a plan may ask for; manyWrites are so many that the next plan goes on with them at once.
const (
	leastRequeue = time.Second
	manyWrites   = 100
)

// Loop reconciles one set at a time: gate, snapshot, plan, apply. The queue, its workers and its back-off are the
// caller's. Reconcile may run for several keys at once, but never twice for the same key.
type Loop struct {
	source   Source
	executor Executor
	planner  Planner
	observer Observer
	options  Options
	gate     *gate
	outcomes *outcomes
}

// NewLoop wires a loop. In observe mode the executor is never called and may be nil.
func NewLoop(source Source, executor Executor, planner Planner, observer Observer, options Options) *Loop {
	options = options.withDefaults()
	return &Loop{
		source:   source,
		executor: executor,
		planner:  planner,
		observer: observer,
		options:  options,
		gate:     newGate(options.GateTimeout, options.Clock),
		outcomes: newOutcomes(options.Clock),
	}
}

// Reconcile is one pass over a set. After an error the caller backs off and retries. Otherwise it calls again after requeueAfter, or if that
// is 0, only when something changes.
func (l *Loop) Reconcile(ctx context.Context, key Key) (requeueAfter time.Duration, err error) {
	if retry := l.passGate(ctx, key); retry > 0 {
		return retry, nil
	}
	if err := l.guarded(ctx, key); err != nil {
		l.observer.Held(key, ReasonForeignWriter, err)
		return 0, nil
	}
	snapshot, err := l.source.Snapshot(ctx, key)
	if errors.Is(err, ErrGone) {
		l.forget(key)
		return 0, nil
	}
	if err != nil {
		l.observer.Held(key, ReasonSnapshot, err)
		return 0, fmt.Errorf("snapshot of %s: %w", key, err)
	}
	snapshot.Policy = &setplanv1.Policy{Behavior: l.options.Behavior, Scope: l.options.Scope}
	snapshot.Outcomes = l.outcomes.report(key)

	plan, err := l.plan(ctx, key, snapshot)
	if err != nil {
		if ctx.Err() != nil { // told to stop: that is no absence of the planner
			return 0, fmt.Errorf("plan for %s: %w", key, ctx.Err())
		}
		reason := reasonOf(err)
		l.observer.Held(key, reason, err)
		if reason == ReasonPlannerRefused {
			l.outcomes.forget(key) // they may be why
		}
		switch reason {
		case ReasonPlannerUnreachable:
			err = fmt.Errorf("%w: %w", ErrPlannerUnreachable, err)
		case ReasonPlannerBusy:
			err = fmt.Errorf("%w: %w", ErrPlannerBusy, err)
		case ReasonPlannerRefused:
			if callerRefused(err) {
				err = fmt.Errorf("%w: %w", ErrCallerRefused, err)
			}
		}
		return 0, fmt.Errorf("plan for %s: %w", key, err)
	}
	l.outcomes.prune(key, plan)
	l.observer.Planned(key, snapshot, plan)
	if l.options.ObserveOnly {
		return askAgain(plan, 0), nil
	}
	wrote, err := l.apply(ctx, key, snapshot, plan)
	if err != nil {
		return 0, err
	}
	return askAgain(plan, wrote), nil
}

// askAgain is when to ask again after a plan that wrote so much: a planner that asks without end gets an answer a second.
func askAgain(plan *setplanv1.Plan, wrote int) time.Duration {
	switch after := plan.GetRequeueAfter().AsDuration(); {
	case plan.GetTruncated() && wrote >= manyWrites:
		return RequeueNow
	case plan.GetTruncated() && len(plan.GetStages()) > 0:
		return leastRequeue
	case after > 0:
		return max(after, leastRequeue)
	}
	return 0
}

// Echo reports whether all changes that the caches show are this loop's own writes; each is given as the write that would have made it. A
// plan already accounts for its own writes, so a reconcile that has no other reason may wait a moment for real news. Echo is false while a
// reconcile waits for the caches to show a write.
func (l *Loop) Echo(key Key, changes ...Write) bool { return l.gate.echo(key, changes) }

// lastGateRetry is the longest time between two checks of a closed gate. A change of the set triggers a check at once.
const lastGateRetry = 5 * time.Second

// errBehind: the object itself is not as the cache has it.
var errBehind = errors.New("the cache is behind")

// passGate is 0 where the caches have caught up with what this loop wrote for the set, else the time after which to look
// again: the longer it has waited, the longer.
func (l *Loop) passGate(ctx context.Context, key Key) time.Duration {
	retry, waiting, late := l.gate.check(key,
		func(write Write) bool { return l.source.Observed(ctx, key, write) },
		func(write Write) error { return l.current(ctx, key, write) })
	if late != nil {
		l.observer.Held(key, ReasonGateTimeout, late)
	}
	if waiting == nil {
		return 0
	}
	l.observer.Held(key, ReasonGate, waiting)
	return max(l.options.GateRetry, min(retry, lastGateRetry))
}

func (l *Loop) current(ctx context.Context, key Key, write Write) error {
	ctx, cancel := context.WithTimeout(ctx, l.options.ActionTimeout)
	defer cancel()
	current, err := l.source.Current(ctx, key, write)
	if err == nil && !current {
		err = errBehind
	}
	return err
}

// guarded asks the guard, if there is one. In observe mode other controllers are expected.
func (l *Loop) guarded(ctx context.Context, key Key) error {
	if l.options.Guard == nil || l.options.ObserveOnly {
		return nil
	}
	return l.options.Guard(ctx, key)
}

func (l *Loop) plan(ctx context.Context, key Key, snapshot *setplanv1.Snapshot) (*setplanv1.Plan, error) {
	ctx, cancel := context.WithTimeout(ctx, l.options.PlanTimeout)
	defer cancel()
	response, err := l.planner.Plan(ctx, &setplanv1.PlanRequest{
		Snapshot:     snapshot,
		Capabilities: l.capabilities(key),
	})
	if err != nil {
		return nil, err
	}
	if response.GetPlan() == nil {
		return nil, status.Error(codes.Internal, "the planner answered without a plan")
	}
	return response.GetPlan(), tooMuch(response.GetPlan())
}

func (l *Loop) forget(key Key) {
	l.gate.forget(key)
	l.outcomes.forget(key)
	l.observer.Forgotten(key)
}

// reasonOf tells an unreachable or busy planner, which recovers by itself, from one that refuses, which seldom does.
func reasonOf(err error) string {
	if errors.Is(err, ErrPlanDiffers) {
		return ReasonReplan
	}
	if _, busy := ComeAgain(err); busy {
		return ReasonPlannerBusy
	}
	switch status.Code(err) {
	case codes.InvalidArgument, codes.FailedPrecondition, codes.ResourceExhausted, codes.Internal, codes.Unimplemented,
		codes.PermissionDenied, codes.Unauthenticated:
		return ReasonPlannerRefused
	default:
		return ReasonPlannerUnreachable
	}
}

// callerRefused reports whether a refusal is about who asks: an identity that the planner does not know, or a token that cannot be read here.
func callerRefused(err error) bool {
	code := status.Code(err)
	return code == codes.PermissionDenied || code == codes.Unauthenticated
}

// ComeAgain reports whether a planner is busy, and how long it asks to wait: it says that it is by telling when to come again.
func ComeAgain(err error) (after time.Duration, busy bool) {
	s := status.Convert(err)
	if s.Code() != codes.ResourceExhausted {
		return 0, false
	}
	for _, detail := range s.Details() {
		if again, ok := detail.(*errdetails.RetryInfo); ok {
			return again.GetRetryDelay().AsDuration(), true
		}
	}
	return 0, false
}
