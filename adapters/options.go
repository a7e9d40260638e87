package adapters

import (
	"context"
	"time"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Options change how a Loop works. The zero value is right for production.
type Options struct {
	// Behavior is the preset of rules that the planner is asked for; unspecified means SETPLAN.
	Behavior setplanv1.Behavior
	// Capabilities is what the executor can do; nil means every operation of this build of the contract.
	Capabilities []setplanv1.Capability
	// Without, if set, is what the executor must not do to a set, of what it can. An action of that kind that comes all the
	// same is refused unsent.
	Without func(key Key) []setplanv1.Capability
	// Scope is what of the sets the planner is asked for; unspecified means all of it. DRAIN_ONLY is for sets that another
	// controller runs: this one drains what they leave behind.
	Scope setplanv1.Scope
	// ObserveOnly plans and applies nothing.
	ObserveOnly bool
	// Guard, if set, is asked before a snapshot is planned and again wherever the fence is checked; its error says who
	// else writes the set. While it returns one nothing is written.
	Guard func(ctx context.Context, key Key) error
	// Clock is time.Now if nil.
	Clock Clock
	// PlanTimeout is the deadline of one call to the planner. 0 means 10 s.
	PlanTimeout time.Duration
	// ActionTimeout bounds one action. An action that has begun is finished even when the loop is told to stop: a write
	// whose answer nobody waits for is worse than a second of delay. 0 means 30 s.
	ActionTimeout time.Duration
	// Turn, if set, is waited for before each action: what limits the writes to the cluster. The time does not count for the
	// action. Its error ends the step as the context's end does; an action that was not begun has not failed. Without an error
	// done is called when the action has ended, or was dropped after all.
	Turn func(ctx context.Context, key Key) (done func(), err error)
	// GateTimeout is how long a write may stay unseen before the loop looks at the object itself. 0 means 30 s.
	GateTimeout time.Duration
	// GateRetry is how soon a reconcile that met a closed gate comes back at first. 0 means 100 ms.
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
