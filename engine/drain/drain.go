package drain

import (
	"time"

	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// A drain empties the claims of an ordinal outside the range before they are deleted. Once the replica is gone, a drain pod with the same
// name and claims runs until it succeeds. Then the claims are deleted, and then the pod. Each plan reads the state of every ordinal from
// the cluster; docs/drain.md has the state machine. state/drain.go has what other rooms
// ask of the policy. The parts:
//
//	settings.go  what the policy asks for, by annotations and by the caller
//	stops.go     what a template may not have, because it could make a pod succeed before it is done
//	policy.go    reading and checking the policy
//	proof.go     which drain pod has drained
//	places.go    the ordinals with something to drain
//	listed.go    which claims a drain pod drains
//	read.go      finding all that
//	protect.go   claims that would be deleted, undrained, with the set or a pod
//	marks.go     which claims the policy covers
//	ask.go       asking a replica before it is deleted
//	manifest.go  the drain pod
//	end.go       what is removed: drained claims, drain pods, and the marks of a removed policy
//	backoff.go   when the next drain pod follows a failed or lost one
//	pod.go       what one ordinal needs next
//	order.go     which ordinals may proceed, and which replica may be deleted
//	set.go       the finalizer of a set that is drained before it is deleted

// Drain is one pass's drain state; nil without a policy or traces of one.
type Drain struct {
	*state.DrainPolicy // the view's
	view               *claims.Claims
	out                *state.Draft
	*drainState
}

// drainState is what the room knows of the ordinals.
type drainState struct {
	places    []*drainPlace         // outside the range, highest first
	returning []*drainPlace         // in the range, with a drain that was begun; highest first
	at        map[int32]*drainPlace // both, by ordinal
	allowance int                   // replicas of a Parallel set that may still be deleted
	waiting   []state.Member        // those that may not
	again     time.Time             // when a failed drain is retried; zero: nothing to wait for
	tokens    map[*model.Annotations]string
	protected
}

// Open returns nil for a set without a policy or traces of one.
func Open(v *claims.Claims, out *state.Draft) *Drain {
	if v.Drain.None() {
		return nil
	}
	return &Drain{&v.Drain, v, out, &drainState{}}
}

// DrainOrdinals plans what every ordinal outside the range needs now, and what is left to do for those back in the range.
func (dr *Drain) DrainOrdinals() {
	if dr == nil {
		return
	}
	dr.explainLimit()
	if dr.view.KeepsAll() || dr.view.Deleting() && !dr.Emptying {
		return
	}
	dr.out.StartPhase()
	stage := model.Stage{Phase: model.PhaseDrain, OnFailure: model.SkipPhase, AlwaysRun: true}
	dr.takeBackQuestions(&stage)
	if dr.On {
		dr.markClaims(&stage)
		for _, p := range dr.returning {
			dr.drainPlace(&stage, p)
		}
	}
	switch {
	case dr.view.Paused >= state.PauseHealOnly: // what comes back is healed, and is drained to its end before
	case dr.On:
		dr.drainPlaces(&stage)
	default:
		dr.forgetDrain(&stage)
	}
	dr.out.Add(stage)
}
