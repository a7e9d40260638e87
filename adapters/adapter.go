// Package adapters holds what every adapter shares: the loop that turns a queue key into a snapshot, asks the planner,
// and applies the plan. A concrete adapter implements Source and Executor and passes the suite in test/conformance.
package adapters

import (
	"context"
	"errors"
	"time"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Key names a set in a cluster.
type Key struct {
	Namespace string
	Name      string
}

func (k Key) String() string { return k.Namespace + "/" + k.Name }

// Planner decides. It is a gRPC client, or the planner itself in the same process (embedded mode).
type Planner interface {
	Plan(ctx context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error)
}

// ErrGone is what Source.Snapshot returns for a set that does not exist: there is nothing to plan.
var ErrGone = errors.New("the set does not exist")

// Source reads a cluster, from caches if it has them.
type Source interface {
	// Snapshot builds the snapshot of one set, observed_at included, without policy and outcomes, which the loop adds.
	// ErrGone: the set does not exist.
	Snapshot(ctx context.Context, key Key) (*setplanv1.Snapshot, error)

	// Set is the cached identity of the set, for the fence. ErrGone as above.
	Set(ctx context.Context, key Key) (SetIdentity, error)

	// LiveSet is the same from the API server, not from a cache, for stages with requires_live_set.
	LiveSet(ctx context.Context, key Key) (SetIdentity, error)

	// Observed reports whether the caches show the effect of a write. The gate asks before the next snapshot.
	Observed(ctx context.Context, key Key, write Write) bool

	// Current reads the object of a write past every cache, and reports whether the cache has it as it is, or lacks it too. The
	// gate asks for a write that Observed does not show for long: some caches cannot know that they have passed over it.
	Current(ctx context.Context, key Key, write Write) (bool, error)
}

// SetIdentity is what the fence compares.
type SetIdentity struct {
	UID        string
	Generation int64
	Policy     string // PolicyOf its annotations, which move no generation
	Deleting   bool
	Neighbours string // NeighboursOf the snapshot that would be made now; LiveSet leaves it out
}

// Executor writes to a cluster.
type Executor interface {
	// Apply carries out one action, with its precondition checked at the moment of writing. It never retries.
	Apply(ctx context.Context, key Key, action *setplanv1.Action) Result
}

// Result is the result of one action.
type Result struct {
	// Err is nil if the action succeeded, or had been done before (NotFound on a delete).
	Err error
	// Outcome classifies Err; unspecified without one.
	Outcome setplanv1.OutcomeResult
	// Write is what the caches must show before the next snapshot; nil if nothing was written.
	Write *Write
}

// Write describes a finished write to the gate.
type Write struct {
	Kind            string
	Name            string
	UID             string
	ResourceVersion string // what the API answered; empty for a delete
	Deleted         bool   // a delete: shown once the object is terminating, gone, or has another uid
}

// Observer is notified of what the loop does; events, metrics, logs and the demo are observers. The goroutine that reconciles the key makes
// the calls; Applied may be called by several at once.
type Observer interface {
	// Planned is called for every plan before any of it is applied.
	Planned(key Key, snapshot *setplanv1.Snapshot, plan *setplanv1.Plan)
	// Applied is called after each action that was tried.
	Applied(key Key, snapshot *setplanv1.Snapshot, action *setplanv1.Action, result Result)
	// Held is called when a reconcile got no plan, or did not apply it: unreachable planner, fence, gate, guard.
	Held(key Key, reason string, err error)
	// Forgotten is called when the set is gone; observers drop what they keep for it.
	Forgotten(key Key)
}

// Clock is time.Now in production and the world's clock in the sim adapter.
type Clock func() time.Time
