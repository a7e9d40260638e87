package engine

import (
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// A moment is no proof. That a pod is not ready at one moment says nothing about the next one: a member of a quorum may blink because another one starts
// anew. So it makes no disruption free. Outside the budget goes only a pod that has been shown to be broken, one in each plan, and none while another
// one of the range is on its way.

// provenAt is from when on a pod is shown to be broken, if nothing changes until then: it has never been ready at what it is made to run, and is old
// enough, or it has been unready for a moment. ok is false where time does not tell.
func (v *view) provenAt(p *model.Pod) (at time.Time, ok bool) {
	switch {
	case p.Ready:
		return at, false
	case p.NeverReady():
		at = v.begunAt(p).Add(state.MinRepairAge)
	case p.ReadyChangedAt.IsZero():
		return at, false
	default:
		at = later(p.ReadyChangedAt.Add(state.Moment), p.CreatedAt.Add(state.MinRepairAge))
	}
	return at, true
}

// broken reports whether a pod is shown to be broken by now.
func (v *view) broken(p *model.Pod) bool {
	at, ok := v.provenAt(p)
	return ok && !at.After(v.Now)
}

// begunAt is when a pod was made, or was last changed in place.
func (v *view) begunAt(p *model.Pod) time.Time {
	if f := v.FlightOf(p); f != nil && !f.Unreadable && !f.At.After(v.Now) { // a clock that was set back makes nobody wait
		return later(f.At, p.CreatedAt)
	}
	return p.CreatedAt
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// onTheWay reports whether a pod of the range is about to become ready, or to make room for one that will be. until is when that ends at the latest, zero if unknown.
func (v *view) onTheWay(p *model.Pod) (until time.Time, is bool) {
	switch {
	case p == nil:
		return until, false
	case p.Terminating():
		return until, true
	case p.HasEnded(), p.Ready && (p.Annotations == nil || !v.StartingAnew(p)):
		return until, false
	}
	until = v.begunAt(p).Add(state.Moment)
	return until, until.After(v.Now)
}

// patience is what a pod that is not ready waits for, where the budget is spent.
type patience struct {
	proof    bool      // that it is shown to be broken
	never    bool      // which takes less for one that has never been ready
	lost     bool      // its node, which does not answer
	other    string    // the pod that is on its way; "": none is
	leaving  bool      // it is being deleted
	at       time.Time // when that is over at the latest; zero if unknown
	thisPlan bool      // the plan takes or makes another pod
}

// mayGoBroken reports whether a pod goes although the budget is spent: it is shown to be broken, and nothing else of the range is under way.
// If not, it says why, and the set is looked at again when that may be over.
func (v *view) mayGoBroken(p *model.Pod, out *state.Draft) (why patience, may bool) {
	at, ok := v.provenAt(p)
	switch {
	case p.NodeLost:
		return patience{lost: true}, false
	case !ok, at.After(v.Now):
		why = patience{proof: true, never: p.NeverReady(), at: at}
	case out.ChangesReplicas():
		return patience{thisPlan: true}, false
	default:
		why, may = v.awaited(p)
	}
	if !may && why.at.After(v.Now) {
		out.LookAgainIn(why.at.Sub(v.Now))
	}
	return why, may
}

// awaited looks for another pod of the range that is on its way; there is none if it may.
func (v *view) awaited(p *model.Pod) (why patience, may bool) {
	for _, other := range v.podsOnTheWay() {
		if other != p {
			until, _ := v.onTheWay(other)
			return patience{other: other.Name, leaving: other.Terminating(), at: until}, false
		}
	}
	return why, true
}

// podsOnTheWay are the lowest two pods of the range that are on their way: one of them is another than any pod.
func (v *view) podsOnTheWay() []*model.Pod {
	if v.onWayRead {
		return v.onWay
	}
	v.onWayRead = true
	for slot, p := range v.Replicas {
		if p != nil && !p.Terminating() && v.broken(p) && v.Set.RollingUpdate != nil && v.SpecOf(p) != v.ComesBackAt(slot) {
			continue // a broken one that would be recreated waits for its own turn; without rollingUpdate, at which revision depends on the others
		}
		if _, is := v.onTheWay(p); is {
			if v.onWay = append(v.onWay, p); len(v.onWay) == 2 {
				break
			}
		}
	}
	return v.onWay
}
