package engine

import (
	"strings"
	"time"

	"github.com/setplan/setplan/engine/jsontree"
)

// A drain empties the claims of an ordinal that left the range before they are deleted: once the replica is gone, a drain
// pod of the same name and on the same claims runs until it succeeds, and then the claims go, and then the pod. Each
// plan reads the state of every ordinal off the cluster; docs/drain.md has the state machine. The parts:
//
//	drain_settings.go  what the policy asks for, by annotations and by the caller
//	drain_policy.go    what is wrong with it
//	drain_stops.go     what a template may not have, because it makes a pod succeed in the middle
//	drain_proof.go     which drain pod has drained
//	drain_places.go    the ordinals with something to drain
//	drain_listed.go    which claims a drain pod drains
//	drain_order.go     which of them may go on, and which replica may be deleted
//	drain_ask.go       asking a replica before it goes
//	drain_marks.go     which claims the policy covers
//	drain_protect.go   claims that would be deleted with the set or a pod before they are drained
//	drain_pod.go       what one ordinal needs next
//	drain_backoff.go   when a drain pod that failed or was lost is followed by the next
//	drain_manifest.go  the drain pod
//	drain_set.go       a set that is deleted, and one that another controller runs

// drain is the state of a pass over the drain; there is none where neither a policy nor a trace of one is.
type drain struct {
	mark     string // what the set's claims and drain pods bear
	on       bool   // there is a template, and everything can be used
	held     bool   // something cannot be used: nothing is deleted that the policy might have protected
	alone    bool   // another controller runs the set
	emptying bool   // the set is being deleted, and every ordinal counts as outside the range

	cancel, leftovers, onDelete, ask, proof bool
	most                                    int // ordinals of a Parallel set on their way out at once
	template                                jsontree.Value

	places    []*drainPlace         // outside the range, highest first
	returning []*drainPlace         // in the range, with a drain that was begun; highest first
	at        map[int32]*drainPlace // both, by ordinal
	leaving   int                   // replicas outside the range that are at the current revision, and stay for now
	room      int                   // replicas of a Parallel set that may still be taken away
	waiting   []member              // those that may not
	again     time.Time             // when a failed drain is tried again; zero: nothing to wait for
	tokens    map[*Annotations]string
	protected // and what is not
}

// startDrain reads the policy. A set without one that bears no trace of an earlier one costs a look at each claim.
func (d *decision) startDrain() {
	d.asked = askedDrain(d.s)
	if d.asked == nil && !d.drainTraces() {
		return
	}
	d.drain = &drain{mark: d.set.Name + "/" + d.set.UID}
	if d.asked != nil {
		d.readDrainPolicy()
	}
	d.drain.emptying = d.deleting() && d.drain.on && d.drain.onDelete && d.hasDrainFinalizer() && !d.orphans()
}

func (d *decision) drainTraces() bool {
	for i := range d.s.Claims {
		d.workAlong(partClaims, 1, i, len(d.s.Claims))
		if d.s.Claims[i].drainSet() != "" {
			return true
		}
	}
	for i := range d.s.Pods {
		d.workAlong(partPods, 1, i, len(d.s.Pods))
		if d.s.Pods[i].hasNotes() {
			return true
		}
	}
	return d.hasDrainFinalizer()
}

// drains tells whether data of ordinals that leave the range is the drain's, so that nobody else may delete it: also
// while the policy cannot be used.
func (d *decision) drains() bool { return d.drain != nil && (d.drain.on || d.drain.held) }

// isDrainPod tells whether a pod is a drain pod of this set. One that the set controls is a replica whatever it says.
func (d *decision) isDrainPod(p *Pod) bool {
	return d.drain != nil && p.drainSet() == d.drain.mark && d.controllerOf(p.Owners) == nil
}

// ofSameName tells whether a mark is this set's, or an earlier one's of its name.
func (d *decision) ofSameName(mark string) bool {
	return strings.HasPrefix(mark, d.set.Name+"/")
}

// drainOrdinals plans what every ordinal outside the range needs now, and what is left to do for those that came back.
func (d *decision) drainOrdinals() {
	if d.drain == nil || d.keepsAll() || d.deleting() && !d.drain.emptying {
		return
	}
	d.startPhase()
	stage := Stage{Phase: PhaseDrain, OnFailure: SkipPhase, AlwaysRun: true}
	d.takeBackQuestions(&stage)
	if d.drain.on {
		d.markClaims(&stage)
		for _, p := range d.drain.returning {
			d.drainPlace(&stage, p)
		}
		d.drainPlaces(&stage)
	} else {
		d.forgetDrain(&stage)
	}
	d.stage(stage)
}

// plan adds the step that a part of a pass plans, unless it plans none.
func (s *Stage) plan(part func(*Step)) {
	var step Step
	if part(&step); len(step.Actions) > 0 {
		s.Steps = append(s.Steps, step)
	}
}
