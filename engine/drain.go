package engine

import "time"

// A drain empties the claims of an ordinal that left the range before they are deleted: once the replica is gone, a drain
// pod of the same name and on the same claims runs until it succeeds, and then the claims go, and then the pod. Each
// plan reads the state of every ordinal off the cluster; docs/drain.md has the state machine. The parts:
//
//	drain_view.go      the policy, and what the core asks of it
//	drain_settings.go  what the policy asks for, by annotations and by the caller
//	drain_stops.go     what a template may not have, because it makes a pod succeed in the middle
//	drain_policy.go    reading the policy, and what is wrong with it
//	drain_proof.go     which drain pod has drained
//	drain_places.go    the ordinals with something to drain
//	drain_listed.go    which claims a drain pod drains
//	drain_read.go      finding all that
//	drain_protect.go   claims that would be deleted with the set or a pod before they are drained
//	drain_marks.go     which claims the policy covers
//	drain_ask.go       asking a replica before it goes
//	drain_manifest.go  the drain pod
//	drain_end.go       what goes: claims that are drained, drain pods, and the marks of a policy that is no more
//	drain_backoff.go   when a drain pod that failed or was lost is followed by the next
//	drain_pod.go       what one ordinal needs next
//	drain_order.go     which of them may go on, and which replica may be deleted
//	drain_set.go       the finalizer of a set that is drained when it is deleted

// drain is the room of the drain in one pass; nil without a policy or traces of one.
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
	allowance int                   // replicas of a Parallel set that may still be taken away
	waiting   []member              // those that may not
	again     time.Time             // when a failed drain is tried again; zero: nothing to wait for
	tokens    map[*Annotations]string
	protected // and what is not
}

// openDrain makes the room, unless there is nothing to be done in it.
func openDrain(v *view, out *draft) *drain {
	if v.drain.none() {
		return nil
	}
	return &drain{&v.drain, v, out, &drainState{}}
}

// drainOrdinals plans what every ordinal outside the range needs now, and what is left to do for those that came back.
func (dr *drain) drainOrdinals() {
	if dr == nil {
		return
	}
	dr.explainLimit()
	if dr.view.keepsAll() || dr.view.deleting() && !dr.emptying {
		return
	}
	dr.out.startPhase()
	stage := Stage{Phase: PhaseDrain, OnFailure: SkipPhase, AlwaysRun: true}
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
