package engine

import (
	"cmp"
	"slices"

	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/drain"
	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/state"
)

// The update strategy Recreate: every outdated pod is deleted, in the range and outside it, and no pod is created before their objects are gone
// (recreateDeleteAndWait upstream), so that the old revision and the new one never run side by side.
//
// All of them are deleted, or none is: half a set that waits for an approval serves nobody. Whatever keeps one of them holds the recreation, and the set
// lives on at its current revision, where it is healed, and scaled down and drained, as ever.

// readRecreation reads whether the recreation is held, and says why.
func readRecreation(v *view, dr *drain.Drain, out *state.Draft) {
	switch {
	case !v.Recreates() || v.Deleting():
	case v.Paused != state.PauseNothing, v.StandsStill():
		v.RecreationHeld = v.OldLeft() || v.NoneUpdated()
	case v.OldLeft():
		v.RecreationHeld = v.Ranking.Invalid || !v.canBe(v.Update.Name, out) || v.anyOldStays(dr, out)
	}
}

// anyOldStays reports whether an outdated pod has to stay for now; then a block says which, and why.
func (v *view) anyOldStays(dr *drain.Drain, out *state.Draft) bool {
	drains := dr.Goes()
	served := drains && !slices.ContainsFunc(v.Replicas, func(p *model.Pod) bool { return p != nil && v.broken(p) })
	for i := range v.placesOfPods() {
		m, outside := v.podAt(i)
		if !v.mustGo(m.Pod) {
			continue
		}
		why := v.whyOldStays(m, outside, out)
		if why == "" && (served || outside && drains) { // a drain needs the members, as long as they serve
			why = keptForDrain
		}
		if why != "" {
			out.Block(blockRecreationHeld(v.Set, m.Pod, why))
			return true
		}
	}
	return false
}

// whyOldStays says what keeps one pod, beside a drain; "": nothing does.
func (v *view) whyOldStays(m state.Member, outside bool, out *state.Draft) string {
	p := m.Pod
	switch {
	case v.InPlace == inplace.InPlaceOnly && v.MayStay(p) && !outside:
		return keptInPlace
	case outside && v.Guarded(m.Ordinal):
		return keptByGuard
	case outside && (v.KeepsAll() || v.longNames):
		return keptOutside
	case claims.StaysForClaims(&v.Claims, out, p, m.Ordinal, model.BlockUpdateWaitsForPod, outdatedIsReplaced):
		return keptForClaims
	case !outside && !p.HasEnded() && v.holds() && v.kept(taking{pod: p, revision: v.Update.Name}, out) != nil:
		return keptByGate
	}
	return ""
}

// recreateSet deletes all outdated pods, and reports whether the pass goes on: nothing is left of them, or they stay.
func recreateSet(v *view, dr *drain.Drain, out *state.Draft) (proceed bool) {
	if !v.Recreates() || v.RecreationHeld || !v.OldLeft() {
		return true
	}
	handedOver := handOverCondemnedClaims(v, out)
	dr.DrainOrdinals()
	if !handedOver {
		return false
	}
	pass := recreation{view: v, out: out}
	out.StartPhase()
	if v.Ranking.On {
		out.InOrder(model.PhaseUpdate, v.placesOfPods(), pass.byRank())
	} else {
		out.InBatches(v.Rules.DeletesDespiteFailedCreates, model.PhaseUpdate, v.placesOfPods(), pass.take)
	}
	pass.explain()
	return false
}

// recreation is the walk over all pods.
type recreation struct {
	view    *view
	out     *state.Draft
	refused bool // a disruption budget has not allowed an eviction, so no other one is tried
}

// take deletes a pod if it is outdated.
func (pass *recreation) take(step *model.Step, i int) plan.Verdict {
	m, _ := pass.view.podAt(i)
	return pass.delete(step, m.Pod)
}

func (pass *recreation) delete(step *model.Step, p *model.Pod) plan.Verdict {
	v := pass.view
	if !v.mustGo(p) || pass.refused && p.CostsBudget() {
		return plan.GoOn
	}
	version := ""
	if v.holds() {
		version = p.ResourceVersion // an approval that was taken back changes it
	}
	verdict := v.TakeAway(step, p, version, causeOutdated(p, v.Update.Name), pass.out, v.Update.Name)
	if verdict == plan.Hold {
		pass.refused = true
		return plan.GoOn
	}
	return verdict
}

// byRank visits the pods by rank, so that the leader goes last; of those that share one, the highest ordinal goes first.
func (pass *recreation) byRank() func(*model.Step, int) plan.Verdict {
	v := pass.view
	list := make([]state.Member, 0, v.placesOfPods())
	for i := range v.placesOfPods() {
		if m, _ := v.podAt(i); v.mustGo(m.Pod) {
			list = append(list, m)
		}
	}
	plan.Sort(list, func(a, b state.Member) int {
		first, _ := v.Ranking.Rank(a.Pod)
		second, _ := v.Ranking.Rank(b.Pod)
		return cmp.Or(cmp.Compare(first, second), cmp.Compare(b.Ordinal, a.Ordinal))
	})
	return func(step *model.Step, i int) plan.Verdict {
		if i < len(list) {
			return pass.delete(step, list[i].Pod)
		}
		return plan.GoOn
	}
}

// explain says that no pod is created yet, and of an ordered set which pod is waited for; explainUnavailable does so of a Parallel one.
func (pass *recreation) explain() {
	v, old := pass.view, 0
	var going *model.Pod
	for i := range v.placesOfPods() {
		m, _ := v.podAt(i)
		if !v.Outdated(m.Pod) {
			continue
		}
		if old++; going == nil && m.Pod.Terminating() {
			going = m.Pod
		}
	}
	pass.out.Block(blockRecreation(v.Set, old, v.Update.Name))
	if going != nil && !v.Parallel() {
		pass.out.Block(blockPodTerminating(going, v.Now))
	}
}

// mustGo reports whether a pod is outdated and nobody has deleted it yet.
func (v *view) mustGo(p *model.Pod) bool { return v.Outdated(p) && !p.Terminating() }

// placesOfPods is how many places pods have, in the range and outside it.
func (v *view) placesOfPods() int { return len(v.Replicas) + len(v.Condemned) }

// podAt is what is at such a place: first the range, ascending, and then what is outside it, descending.
func (v *view) podAt(i int) (m state.Member, outside bool) {
	if i < len(v.Replicas) {
		return state.Member{Pod: v.Replicas[i], Ordinal: v.Ordinal(i)}, false
	}
	return v.Condemned[i-len(v.Replicas)], true
}
