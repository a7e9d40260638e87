package engine

import (
	"time"

	"github.com/setplan/setplan/engine/model"
)

// A drain empties the claims of an ordinal outside the range before they are deleted. Once the replica is gone, a drain pod with the same
// name and claims runs until it succeeds. Then the claims are deleted, and then the pod. Each plan reads the state of every ordinal from
// the cluster; docs/drain.md has the state machine. The parts:
//
//	drain_view.go      the policy, and what the core asks of it
//	drain_settings.go  what the policy asks for, by annotations and by the caller
//	drain_stops.go     what a template may not have, because it could make a pod succeed before it is done
//	drain_policy.go    reading and checking the policy
//	drain_proof.go     which drain pod has drained
//	drain_places.go    the ordinals with something to drain
//	drain_listed.go    which claims a drain pod drains
//	drain_read.go      finding all that
//	drain_protect.go   claims that would be deleted, undrained, with the set or a pod
//	drain_marks.go     which claims the policy covers
//	drain_ask.go       asking a replica before it is deleted
//	drain_manifest.go  the drain pod
//	drain_end.go       what is removed: drained claims, drain pods, and the marks of a removed policy
//	drain_backoff.go   when the next drain pod follows a failed or lost one
//	drain_pod.go       what one ordinal needs next
//	drain_order.go     which ordinals may proceed, and which replica may be deleted
//	drain_set.go       the finalizer of a set that is drained before it is deleted

// drain is one pass's drain state; nil without a policy or traces of one.
type drain struct {
	*drainPolicy // the view's
	view         *view
	out          *draft
	*drainState
}

// drainState is what the room knows of the ordinals.
type drainState struct {
	places    []*drainPlace         // outside the range, highest first
	returning []*drainPlace         // in the range, with a drain that was begun; highest first
	at        map[int32]*drainPlace // both, by ordinal
	allowance int                   // replicas of a Parallel set that may still be deleted
	waiting   []member              // those that may not
	again     time.Time             // when a failed drain is retried; zero: nothing to wait for
	tokens    map[*model.Annotations]string
	protected
}

// openDrain returns nil for a set without a policy or traces of one.
func openDrain(v *view, out *draft) *drain {
	if v.drain.none() {
		return nil
	}
	return &drain{&v.drain, v, out, &drainState{}}
}

// drainOrdinals plans what every ordinal outside the range needs now, and what is left to do for those back in the range.
func (dr *drain) drainOrdinals() {
	if dr == nil {
		return
	}
	dr.explainLimit()
	if dr.view.keepsAll() || dr.view.deleting() && !dr.emptying {
		return
	}
	dr.out.startPhase()
	stage := model.Stage{Phase: model.PhaseDrain, OnFailure: model.SkipPhase, AlwaysRun: true}
	dr.takeBackQuestions(&stage)
	if dr.on {
		dr.markClaims(&stage)
		for _, p := range dr.returning {
			dr.drainPlace(&stage, p)
		}
	}
	switch {
	case dr.view.paused >= pauseHealOnly: // what comes back is healed, and is drained to its end before
	case dr.on:
		dr.drainPlaces(&stage)
	default:
		dr.forgetDrain(&stage)
	}
	dr.out.stage(stage)
}
