package engine

// findPlaces finds what is outside the range, and drains that have begun and whose ordinal is back in the range. With a policy it returns
// the number of replicas outside the range at the current revision: see view.leaving.
func (dr *drain) findPlaces() (leaving int) {
	if dr == nil {
		return 0
	}
	dr.at = make(map[int32]*drainPlace)
	for _, m := range dr.view.condemned {
		dr.view.meter.work(partDrain, 2)
		if p := dr.placeAt(m.ordinal); p.replica == nil {
			p.replica = m.pod
		}
		if dr.asked != nil && !m.pod.terminating() && m.pod.Revision == dr.view.current.name {
			leaving++
		}
	}
	for _, pod := range dr.view.strangers {
		dr.view.meter.work(partPods, 2)
		if ordinal, ok := dr.view.ordinalOf(pod); ok && dr.view.isDrainPod(pod) {
			dr.placeAt(ordinal).pod = pod
		}
	}
	dr.findClaims()
	for _, pod := range dr.view.strangers {
		dr.view.meter.work(partPods, 1)
		if ordinal, ok := dr.view.ordinalOf(pod); ok && dr.at[ordinal] != nil && !dr.view.isDrainPod(pod) {
			dr.at[ordinal].stranger = pod
		}
	}
	for _, p := range dr.at {
		dr.view.meter.work(partDrain, 1)
		if p.inRange {
			dr.returning = append(dr.returning, p)
		} else {
			dr.places = append(dr.places, p)
		}
	}
	highestFirst := func(a, b *drainPlace) int { return int(b.ordinal) - int(a.ordinal) }
	sortList(dr.view.meter, partDrain, dr.places, highestFirst)
	sortList(dr.view.meter, partDrain, dr.returning, highestFirst)
	dr.findListed()
	dr.countAllowance()
	return leaving
}

// countAllowance counts how many replicas of a Parallel set may be deleted now.
func (dr *drain) countAllowance() {
	dr.allowance = dr.most
	for _, p := range dr.places {
		dr.view.meter.work(partDrain, 1)
		if onItsWay := p.replica == nil || p.replica.terminating(); onItsWay && !dr.drained(p) {
			dr.allowance--
		}
	}
}
