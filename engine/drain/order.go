package drain

import (
	"slices"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/state"
)

// MayGo reports whether the drain lets a replica outside the range go now; goOn means yes.
func (dr *Drain) MayGo(step *model.Step, m state.Member) plan.Verdict {
	if dr == nil || !dr.On && !dr.Ask {
		return plan.GoOn
	}
	p := dr.at[m.Ordinal]
	if !dr.inTurn(p, m) {
		return plan.Hold
	}
	for _, c := range dr.live(p) {
		if dr.On && !dr.marked(c) {
			return plan.Hold // this plan marks it, so that the drain finds it once the replica is gone
		}
	}
	if dr.On && dr.wouldGo(p) {
		return plan.Hold // this plan releases the claim; a block says so
	}
	if dr.Ask {
		return dr.askToGo(step, m.Pod)
	}
	return plan.GoOn
}

// Goes reports whether an ordinal outside the range is left to be drained, or has a replica that is asked first.
func (dr *Drain) Goes() bool {
	return dr != nil && (dr.On && dr.leftToDrain() > 0 ||
		dr.Ask && slices.ContainsFunc(dr.places, func(p *drainPlace) bool { return p.replica != nil }))
}

// inTurn keeps the order of OrderedReady, where an ordinal leaves once nothing is left above it, and the limit of Parallel.
func (dr *Drain) inTurn(p *drainPlace, m state.Member) bool {
	if dr.view.Parallel() {
		if dr.allowance <= 0 {
			dr.waiting = append(dr.waiting, m)
			return false
		}
		dr.allowance--
		return true
	}
	for _, above := range dr.places {
		if above.ordinal <= p.ordinal {
			return true
		}
		if above.replica == nil && !dr.drained(above) {
			dr.out.Block(blockDrainsAbove(m.Pod, above.ordinal))
			return false
		}
	}
	return true
}

// explainLimit says which replicas of a Parallel set wait for the limit.
func (dr *Drain) explainLimit() {
	if len(dr.waiting) == 0 {
		return
	}
	dr.out.Block(blockDrainLimit(dr.waiting, dr.Most, dr.Asked.MaxParallel.Source))
}

// drainPlaces walks the ordinals outside the range. Running drains continue; others begin in their turn.
func (dr *Drain) drainPlaces(stage *model.Stage) {
	begun, held := 0, 0
	for _, p := range dr.places {
		if p.pod != nil {
			begun++
		}
	}
	first := (*drainPlace)(nil)
	for i, p := range dr.places {
		if dr.view.EndsAt(i) {
			return
		}
		dr.explainLeftovers(p)
		if dr.drained(p) {
			continue
		}
		mayBegin := first == nil
		if dr.view.Parallel() {
			mayBegin = begun < dr.Most
		}
		if first == nil {
			first = p
		}
		switch {
		case p.replica != nil && p.pod == nil:
			dr.explainReplica(p)
		case p.pod != nil || mayBegin:
			if dr.drainPlace(stage, p) {
				begun++
			}
		default:
			if held++; held == 1 {
				dr.out.Block(blockDrainsLater(p))
			}
		}
	}
}

// explainReplica says that a drain waits until another controller has deleted the replica.
func (dr *Drain) explainReplica(p *drainPlace) {
	if !dr.DrainOnly || dr.Emptying {
		return
	}
	dr.out.Block(blockReplicaStays(p))
}
