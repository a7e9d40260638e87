package engine

import "github.com/setplan/setplan/engine/model"

// mayGo reports whether the drain lets a replica outside the range go now; goOn means yes.
func (dr *drain) mayGo(step *model.Step, m member) verdict {
	if dr == nil || !dr.on && !dr.ask {
		return goOn
	}
	p := dr.at[m.ordinal]
	if !dr.inTurn(p, m) {
		return hold
	}
	for _, c := range dr.live(p) {
		if dr.on && !dr.marked(c) {
			return hold // this plan marks it, so that the drain finds it once the replica is gone
		}
	}
	if dr.on && dr.wouldGo(p) {
		return hold // this plan releases the claim; a block says so
	}
	if dr.ask {
		return dr.askToGo(step, m.pod)
	}
	return goOn
}

// inTurn keeps the order of OrderedReady, where an ordinal leaves once nothing is left above it, and the limit of Parallel.
func (dr *drain) inTurn(p *drainPlace, m member) bool {
	if dr.view.parallel() {
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
			dr.out.block(blockDrainsAbove(m.pod, above.ordinal))
			return false
		}
	}
	return true
}

// explainLimit says which replicas of a Parallel set wait for the limit.
func (dr *drain) explainLimit() {
	if len(dr.waiting) == 0 {
		return
	}
	dr.out.block(blockDrainLimit(dr.waiting, dr.most, dr.asked.maxParallel.source))
}

// drainPlaces walks the ordinals outside the range. Running drains continue; others begin in their turn.
func (dr *drain) drainPlaces(stage *model.Stage) {
	begun, held := 0, 0
	for _, p := range dr.places {
		if p.pod != nil {
			begun++
		}
	}
	first := (*drainPlace)(nil)
	for i, p := range dr.places {
		if dr.view.endsAt(i) {
			return
		}
		dr.explainLeftovers(p)
		if dr.drained(p) {
			continue
		}
		mayBegin := first == nil
		if dr.view.parallel() {
			mayBegin = begun < dr.most
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
				dr.out.block(blockDrainsLater(p))
			}
		}
	}
}

// explainReplica says that a drain waits until another controller has deleted the replica.
func (dr *drain) explainReplica(p *drainPlace) {
	if !dr.drainOnly || dr.emptying {
		return
	}
	dr.out.block(blockReplicaStays(p))
}
