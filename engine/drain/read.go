package drain

import "github.com/setplan/setplan/engine/plan"

// FindPlaces finds what is outside the range, and drains that have begun and whose ordinal is back in the range. With a policy it returns
// the number of replicas outside the range at the current revision: see state.View.Leaving.
func (dr *Drain) FindPlaces() (leaving int) {
	if dr == nil {
		return 0
	}
	dr.at = make(map[int32]*drainPlace)
	for i, m := range dr.view.Condemned {
		if dr.view.EndsAt(i) {
			break
		}
		if p := dr.placeAt(m.Ordinal); p.replica == nil {
			p.replica = m.Pod
		}
		if dr.Asked != nil && !m.Pod.Terminating() && m.Pod.Revision == dr.view.Current.Name {
			leaving++
		}
	}
	for i, pod := range dr.view.Strangers {
		if dr.view.EndsAt(i) {
			break
		}
		if ordinal, ok := dr.view.OrdinalOf(pod); ok && dr.view.IsDrainPod(pod) {
			dr.placeAt(ordinal).pod = pod
		}
	}
	if dr.findClaims(); dr.view.Ends() {
		return leaving
	}
	for i, pod := range dr.view.Strangers {
		if dr.view.EndsAt(i) {
			break
		}
		if ordinal, ok := dr.view.OrdinalOf(pod); ok && dr.at[ordinal] != nil && !dr.view.IsDrainPod(pod) {
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
	plan.Sort(dr.places, highestFirst)
	plan.Sort(dr.returning, highestFirst)
	if dr.view.Ends() {
		return leaving
	}
	dr.findListed()
	dr.countAllowance()
	return leaving
}

// countAllowance counts how many replicas of a Parallel set may be deleted now.
func (dr *Drain) countAllowance() {
	dr.allowance = dr.Most
	for i, p := range dr.places {
		if dr.view.EndsAt(i) {
			break
		}
		if onItsWay := p.replica == nil || p.replica.Terminating(); onItsWay && !dr.drained(p) {
			dr.allowance--
		}
	}
}
