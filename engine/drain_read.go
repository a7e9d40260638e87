package engine

// findPlaces finds what is outside the range, and drains that have begun and whose ordinal is back in the range. With a policy it returns
// the number of replicas outside the range at the current revision: see view.leaving.
func (dr *drain) findPlaces() (leaving int) {
	if dr == nil {
		return 0
	}
	dr.at = make(map[int32]*drainPlace)
	for i, m := range dr.view.condemned {
		if dr.view.endsAt(i) {
			break
		}
		if p := dr.placeAt(m.ordinal); p.replica == nil {
			p.replica = m.pod
		}
		if dr.asked != nil && !m.pod.Terminating() && m.pod.Revision == dr.view.current.name {
			leaving++
		}
	}
	for i, pod := range dr.view.strangers {
		if dr.view.endsAt(i) {
			break
		}
		if ordinal, ok := dr.view.ordinalOf(pod); ok && dr.view.isDrainPod(pod) {
			dr.placeAt(ordinal).pod = pod
		}
	}
	if dr.findClaims(); dr.view.ends() {
		return leaving
	}
	for i, pod := range dr.view.strangers {
		if dr.view.endsAt(i) {
			break
		}
		if ordinal, ok := dr.view.ordinalOf(pod); ok && dr.at[ordinal] != nil && !dr.view.isDrainPod(pod) {
			dr.at[ordinal].stranger = pod
		}
	}
	for _, p := range dr.at {
		if p.inRange {
			dr.returning = append(dr.returning, p)
		} else {
			dr.places = append(dr.places, p)
		}
	}
	highestFirst := func(a, b *drainPlace) int { return int(b.ordinal) - int(a.ordinal) }
	sortList(dr.places, highestFirst)
	sortList(dr.returning, highestFirst)
	if dr.view.ends() {
		return leaving
	}
	dr.findListed()
	dr.countAllowance()
	return leaving
}

// countAllowance counts how many replicas of a Parallel set may be deleted now.
func (dr *drain) countAllowance() {
	dr.allowance = dr.most
	for i, p := range dr.places {
		if dr.view.endsAt(i) {
			break
		}
		if onItsWay := p.replica == nil || p.replica.Terminating(); onItsWay && !dr.drained(p) {
			dr.allowance--
		}
	}
}
