package adapters

import (
	"context"
	"time"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Options configure a Loop. The zero value is right for production.
type Options struct {
	// Behavior is the preset of rules that the planner is asked for; unspecified means SETPLAN.
	Behavior setplanv1.Behavior
	// Capabilities is what the executor can do; nil means every operation of this build of the contract.
	Capabilities []setplanv1.Capability
	// Without, if set, returns the capabilities that the executor must not use on a set. Such an action is refused before it is sent.
	Without func(key Key) []setplanv1.Capability
	// Scope is the part of the sets that is planned; unspecified means all of it. DRAIN_ONLY is for sets that another controller runs: this one
	// only drains.
	Scope setplanv1.Scope
	// ObserveOnly plans and applies nothing.
	ObserveOnly bool
	// Guard, if set, is called before a snapshot is planned and wherever the fence is checked. Its error says who else writes to the set. While
	// it returns one, nothing is written.
	Guard func(ctx context.Context, key Key) error
	// Clock is time.Now if nil.
	Clock Clock
	// PlanTimeout is the deadline of one call to the planner. 0 means 10 s.
	PlanTimeout time.Duration
	// ActionTimeout limits one action. An action that has begun is finished even if the loop is stopped: a write with an unknown result is worse
	// than a second of delay. 0 means 30 s.
	ActionTimeout time.Duration
	// Turn, if set, is called before each action, for one of a set at a time, and limits the writes to the cluster. The time that it takes does
	// not count for the action. Its error ends the step, as the context's end does; an action that was not begun has not failed. Without an error, done is called when the
	// action has ended or was dropped.
	Turn func(ctx context.Context, key Key) (done func(), err error)
	// GateTimeout is how long a write may stay unseen before the loop reads the object itself. 0 means 30 s.
	GateTimeout time.Duration
	// GateRetry is the first delay after a reconcile that met a closed gate. 0 means 100 ms.
	GateRetry time.Duration
	// Parallelism is how many steps of a stage run at once. 0 means 500; 1 runs them one after another in the order of
	// the plan, in the caller's goroutine, so that a simulation is deterministic.
	Parallelism int
}

func (o Options) withDefaults() Options {
	if o.Capabilities == nil {
		o.Capabilities = setplan.Capabilities()
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.PlanTimeout == 0 {
		o.PlanTimeout = 10 * time.Second
	}
	if o.ActionTimeout == 0 {
		o.ActionTimeout = 30 * time.Second
	}
	if o.GateTimeout == 0 {
		o.GateTimeout = 30 * time.Second
	}
	if o.GateRetry == 0 {
		o.GateRetry = 100 * time.Millisecond
	}
	if o.Parallelism == 0 {
		o.Parallelism = 500
	}
	return o
}
