package kube

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// ownWrites tells this process's writes to the status of one set from those of another process of this adapter, which has
// the same field manager. A version is ours if the answer to one of our writes named it. Answers and events arrive in any order, so a
// version without an answer is a suspect until the next pass begins, when no write of ours is under way.
//
// Only steps between two versions after the take-over count: a step from before it may hold a write of the previous leader. So
// another process is noticed at its second write to a set at the latest.
type ownWrites struct {
	uid      types.UID
	answered []string // our versions that the watch has not shown yet
	suspects []step

	// An answer was lost, and the write may have happened or still happen. No suspect counts until a later write is answered, which
	// makes the lost write's precondition stale.
	lost bool
	upTo string
}

// step is the way from one version of a set to a later one, in which this adapter's manager has written the status.
type step struct{ after, upTo, at string }

func (s step) holds(version string) bool {
	return !atLeast(s.after, version) && atLeast(s.upTo, version)
}

// shown is called for a step that the watch shows.
func (o *ownWrites) shown(after, upTo, at string) {
	s := step{after, upTo, at}
	if !slices.ContainsFunc(o.answered, s.holds) && !o.lost && (o.upTo == "" || !atLeast(o.upTo, upTo)) {
		o.suspects = append(o.suspects, s)
	}
	o.answered = slices.DeleteFunc(o.answered, func(version string) bool { return atLeast(upTo, version) })
}

// wrote is called for an answer that names a version.
func (o *ownWrites) wrote(version string) {
	if o.lost {
		o.lost, o.upTo = false, version
	}
	before := len(o.suspects)
	o.suspects = slices.DeleteFunc(o.suspects, func(s step) bool { return s.holds(version) })
	if len(o.suspects) == before {
		o.answered = append(o.answered, version)
	}
}

// unanswered is called for a write that may or may not have happened.
func (o *ownWrites) unanswered() { o.lost, o.suspects = true, nil }

// ownOf returns what is known about our writes to a set. The caller holds the lock.
func (g *Guard) ownOf(key adapters.Key, uid types.UID) *ownWrites {
	own := g.own[key]
	if own == nil || own.uid != uid {
		own = &ownWrites{uid: uid}
		g.own[key] = own
	}
	return own
}

var _ adapters.Observer = (*Guard)(nil)

// Planned implements adapters.Observer.
func (g *Guard) Planned(adapters.Key, *setplanv1.Snapshot, *setplanv1.Plan) {}

// Applied implements adapters.Observer: it learns which versions of a set are ours.
func (g *Guard) Applied(key adapters.Key, _ *setplanv1.Snapshot, action *setplanv1.Action, result adapters.Result) {
	if _, status := action.GetOperation().(*setplanv1.Action_UpdateStatus); !status {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	own := g.ownOf(key, types.UID(action.GetPrecondition().GetUid()))
	switch {
	case result.Write != nil:
		own.wrote(result.Write.ResourceVersion)
	case result.Outcome == setplanv1.OutcomeResult_OUTCOME_RESULT_ERROR:
		own.unanswered()
	}
}

// Held implements adapters.Observer.
func (g *Guard) Held(adapters.Key, string, error) {}

// Forgotten implements adapters.Observer.
func (g *Guard) Forgotten(key adapters.Key) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forget(key)
}
