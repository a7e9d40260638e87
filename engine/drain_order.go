package engine

import "fmt"

// countRoom counts how many replicas of a Parallel set may be taken away now.
func (d *decision) countRoom() {
	d.drain.room = d.drain.most
	for _, p := range d.drain.places {
		d.work(partDrain, 1)
		if onItsWay := p.replica == nil || p.replica.terminating(); onItsWay && !d.drained(p) {
			d.drain.room--
		}
	}
}

// leavingCurrent counts the replicas outside the range that the status counts at the current revision. Without rollingUpdate
// that count says at which revision pods of the range come back, and those that a policy keeps waiting have no part in that:
// the update would never end, as it never meets them. Without a policy they go before the update begins.
func (d *decision) leavingCurrent() int {
	if d.drain == nil {
		return 0
	}
	return d.drain.leaving
}

// mayGo tells whether the drain lets a replica outside the range go now; goOn means yes.
func (d *decision) mayGo(step *Step, m member) verdict {
	dr := d.drain
	if dr == nil || !dr.on && !dr.ask {
		return goOn
	}
	p := dr.at[m.ordinal]
	if !d.inTurn(p, m) {
		return hold
	}
	for _, c := range d.live(p) {
		if dr.on && !d.marked(c) {
			return hold // it is marked by this plan, so that the drain finds it once the replica is gone
		}
	}
	if dr.on && d.wouldGo(p) {
		return hold // the claim is released by this plan; a block says so
	}
	if dr.ask {
		return d.askToGo(step, m.pod)
	}
	return goOn
}

// inTurn keeps the order of a set with OrderedReady, where an ordinal goes once nothing is left above it, and the limit
// of a Parallel one.
func (d *decision) inTurn(p *drainPlace, m member) bool {
	dr := d.drain
	if d.parallel() {
		if dr.room <= 0 {
			dr.waiting = append(dr.waiting, m)
			return false
		}
		dr.room--
		return true
	}
	for _, above := range dr.places {
		d.work(partDrain, 1)
		if above.ordinal <= p.ordinal {
			return true
		}
		if above.replica == nil && !d.drained(above) {
			d.block(Block{Code: BlockDrainWaits, Severity: Wait, Kind: KindPod, Name: m.pod.Name,
				Message: fmt.Sprintf("The pod is outside the range and goes once ordinal %d above it is drained.", above.ordinal)})
			return false
		}
	}
	return true
}

// explainLimit says which replicas of a Parallel set stay for now.
func (d *decision) explainLimit() {
	if d.drain == nil || len(d.drain.waiting) == 0 {
		return
	}
	first := d.drain.waiting[0].pod
	b := Block{Code: BlockDrainWaits, Severity: Wait, Kind: KindPod, Name: first.Name,
		Message: fmt.Sprintf("The pod is outside the range and stays for now: %s leave at once.", plural(d.drain.most, "ordinal")),
		Remedy:  "Raise " + d.asked.maxParallel.source + " to drain more at once."}
	if more := len(d.drain.waiting) - 1; more > 0 {
		b.Message += " The same holds for " + moreOf(more, "pod") + "."
	}
	d.block(b)
}

// drainPlaces goes through the ordinals outside the range. What runs goes on; what has not begun begins in its turn.
func (d *decision) drainPlaces(stage *Stage) {
	begun, held := 0, 0
	for _, p := range d.drain.places {
		d.work(partDrain, 1)
		if p.pod != nil {
			begun++
		}
	}
	first := (*drainPlace)(nil)
	for _, p := range d.drain.places {
		d.work(partDrain, 1)
		d.explainLeftovers(p)
		if d.drained(p) {
			continue
		}
		mayBegin := first == nil
		if d.parallel() {
			mayBegin = begun < d.drain.most
		}
		if first == nil {
			first = p
		}
		switch {
		case p.replica != nil && p.pod == nil:
			d.explainReplica(p)
		case p.pod != nil || mayBegin:
			if d.drainPlace(stage, p) {
				begun++
			}
		default:
			if held++; held == 1 {
				d.block(Block{Code: BlockDrainWaits, Severity: Wait, Kind: KindPod, Name: p.name,
					Message: fmt.Sprintf("Ordinal %d is drained after those that are under way.", p.ordinal)})
			}
		}
	}
}

// explainReplica says what a drain waits for where another controller takes the replica away.
func (d *decision) explainReplica(p *drainPlace) {
	if !d.drain.alone || d.drain.emptying {
		return
	}
	b := Block{Code: BlockDrainWaits, Severity: Wait, Kind: KindPod, Name: p.replica.Name, Since: p.replica.DeletedAt,
		Message: fmt.Sprintf("Ordinal %d is drained once the set's own controller has taken this pod away.", p.ordinal)}
	if p.replica.terminating() {
		b.Remedy = whyItStays
	}
	d.block(b)
}
