package engine

import (
	"slices"
	"time"

	"github.com/setplan/setplan/engine/model"
)

// A moment is no proof. That a pod is not ready at one moment says nothing about the next one: a member of a quorum may blink because another one starts
// anew. So it makes no disruption free. Outside the budget goes only a pod that has been shown to be broken, one in each plan, and none while another
// one of the range is on its way.

// minRepairAge is how old a pod has to be that has never been ready: it may be about to become so, and several edits of a template in a row should
// not each cost a pod.
const minRepairAge = 10 * time.Second

// moment is how long a pod that was ready has to be unready without a break. A pod that was just created, or whose containers just restarted, counts as on its way for as long.
const moment = time.Minute

// provenAt is from when on a pod is shown to be broken, if nothing changes until then: it has never been ready at what it is made to run, and is old
// enough, or it has been unready for a moment. ok is false where time does not tell.
func (v *view) provenAt(p *model.Pod) (at time.Time, ok bool) {
	switch {
	case p.Ready:
		return at, false
	case p.NeverReady():
		at = v.begunAt(p).Add(minRepairAge)
	case p.ReadyChangedAt.IsZero():
		return at, false
	default:
		at = later(p.ReadyChangedAt.Add(moment), p.CreatedAt.Add(minRepairAge))
	}
	return at, true
}

// broken reports whether a pod is shown to be broken by now.
func (v *view) broken(p *model.Pod) bool {
	at, ok := v.provenAt(p)
	return ok && !at.After(v.now)
}

// begunAt is when a pod was made, or was last changed in place.
func (v *view) begunAt(p *model.Pod) time.Time {
	if f := v.flightOf(p); f != nil && !f.unreadable && !f.at.After(v.now) { // a clock that was set back makes nobody wait
		return later(f.at, p.CreatedAt)
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
	case p.HasEnded(), p.Ready && (p.Annotations == nil || !v.startingAnew(p)):
		return until, false
	}
	until = v.begunAt(p).Add(moment)
	return until, until.After(v.now)
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
func (v *view) mayGoBroken(p *model.Pod, out *draft) (why patience, may bool) {
	at, ok := v.provenAt(p)
	switch {
	case p.NodeLost:
		return patience{lost: true}, false
	case !ok, at.After(v.now):
		why = patience{proof: true, never: p.NeverReady(), at: at}
	case out.changesReplicas():
		return patience{thisPlan: true}, false
	default:
		why, may = v.awaited(p)
	}
	if !may && why.at.After(v.now) {
		out.lookAgainIn(why.at.Sub(v.now))
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
	for slot, p := range v.replicas {
		if p != nil && !p.Terminating() && v.broken(p) && v.set.RollingUpdate != nil && v.specOf(p) != v.comesBackAt(slot) {
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

// changesReplicas reports whether the plan makes a pod of the range, or takes one away. It looks once until the plan has another stage.
func (out *draft) changesReplicas() bool {
	if !out.replicasRead {
		out.replicasRead, out.replicasChange = true, takesAwayReplicas(out) || makesReplicas(out)
	}
	return out.replicasChange
}

// makesReplicas reports whether the plan creates a pod of the range, and that was not refused the last time.
func makesReplicas(out *draft) bool {
	for i := range out.plan.Stages {
		stage := &out.plan.Stages[i]
		if stage.Phase != model.PhaseReplicas {
			continue
		}
		for j := range stage.Steps {
			actions := stage.Steps[j].Actions
			if at := out.firstFailed(&stage.Steps[j]); at >= 0 {
				actions = actions[:at]
			}
			if slices.ContainsFunc(actions, func(a model.Action) bool { _, is := a.Op.(model.CreatePod); return is }) {
				return true
			}
		}
	}
	return false
}
