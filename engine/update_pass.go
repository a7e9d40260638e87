package engine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/rollout"
	"github.com/setplan/setplan/engine/state"
)

// updatePass is the update.
type updatePass struct {
	view   *view
	status *model.Status // whose counters go down with the pods that go
	out    *state.Draft
	// refused: an eviction has failed, so no other is tried. What costs no disruption budget goes all the same.
	refused bool
	// ends: a deletion has failed before, and may end the step.
	ends bool
	// again is the place of that eviction in the step, from 1 on, if it is tried again now.
	again int
	// closed: no more pods go outside the budget. One does already, or another one is on its way.
	closed bool
	told   bool // a block says why one does not
}

// underWay reports whether there is nothing to do for an outdated pod now: it is on its way to the update revision, or the plan has written to it.
func (pass *updatePass) underWay(p *model.Pod) bool {
	return pass.view.OnItsWay(p, pass.view.Update.Name) || pass.out.Updated[p.UID]
}

// writtenFirst reports whether the plan writes to an outdated pod what comes before its update: the mark, or the end of an earlier update. No lower
// pod overtakes it.
func (pass *updatePass) writtenFirst(p *model.Pod) bool {
	return p != nil && pass.out.First[p.UID] && !pass.view.OnItsWay(p, pass.view.Update.Name)
}

// resizesFirst reports whether a pod of an ordered set gets resources, and does not have them yet. No lower pod overtakes it: that a node has no room
// shows at the first pod. One that the set goes on without keeps back nobody.
func (pass *updatePass) resizesFirst(p *model.Pod) bool {
	v := pass.view
	if p == nil || p.Annotations == nil || v.Parallel() {
		return false
	}
	if f := v.FlightOf(p); f != nil && len(f.Resize) > 0 {
		return !f.Unreadable && !v.Proven(p) && !v.KeepsRefused(p)
	}
	return pass.out.Updated[p.UID] && len(v.DifferenceTo(p, v.Update).Resources) > 0
}

// letsPass reports whether others are updated while a pod is on its way and available: nothing of it starts again, and the set has no order, or goes on
// without it.
func (pass *updatePass) letsPass(p *model.Pod) bool {
	v := pass.view
	return pass.underWay(p) && !v.Absent(p) && !v.Unconfirmed(p) && (v.Parallel() || v.KeepsRefused(p))
}

// isMarkedNext reports whether all that comes next for a pod is its mark.
func (pass *updatePass) isMarkedNext(p *model.Pod) bool {
	v := pass.view
	return v.updatesInPlace(p, v.Update) && v.TakesMark(p, v.DifferenceTo(p, v.Update))
}

// absence is what counts against the budget of an update: replicas that are unavailable or on their way, and those that are updated and not
// confirmed.
type absence struct {
	pods        int
	away        int        // those that are unavailable, or on their way to the update revision; a pod that is to leave another way is none of them
	unavailable bool       // one of them is
	lowest      *model.Pod // of the unavailable ones; nil: none of them has a pod
	unconfirmed *model.Pod // the lowest of those that are available; nil: there is none
	spent       spent
}

// spent is what a budget is spent on, as sentences say it.
type spent struct {
	gone     int        // pods that are unavailable now
	updating int        // those that serve now, and are on their way or are taken by this plan
	one      *model.Pod // one of these
}

func (s *spent) on(v *view, p *model.Pod) {
	if v.Unavailable(p) {
		s.gone++
		return
	}
	s.updating, s.one = s.updating+1, p
}

func (pass *updatePass) countAbsent() (a absence) {
	for slot := len(pass.view.Replicas) - 1; slot >= 0; slot-- {
		p := pass.view.Replicas[slot]
		switch {
		case pass.view.Unavailable(p), p.Annotations != nil && pass.view.StartingAnew(p):
			a.pods++
			if pass.view.Unavailable(p) || pass.view.OnItsWay(p, pass.view.Update.Name) {
				a.away++
			}
			a.unavailable = true
			a.spent.on(pass.view, p)
			if p != nil && pass.view.Unavailable(p) {
				a.lowest = p
			}
		case pass.view.Unconfirmed(p):
			a.pods++
			a.unconfirmed = p
		}
	}
	return a
}

// costsNothingMore reports whether a pod that is on its way elsewhere can be taken at once. It counts already, but one that is ready may serve, and
// there may be many: after a bad image, or where somebody has written records.
func (pass *updatePass) costsNothingMore(p *model.Pod, a *absence, budget int) bool {
	return p.Annotations != nil && pass.view.StartingAnew(p) && (a.away < budget || pass.view.Unavailable(p) && a.away == budget)
}

// goesBroken reports whether a pod that is not ready goes although the budget is spent. If not, a block says why of the first one.
func (pass *updatePass) goesBroken(p *model.Pod, a absence, budget int) bool {
	if pass.closed {
		return false
	}
	why, may := pass.view.mayGoBroken(p, pass.out)
	pass.closed = may && !pass.view.Ranking.On || why.other != "" || why.thisPlan
	if !may && !pass.told {
		pass.told, pass.out.Waiting = true, p.Name
		pass.out.Block(blockBrokenWaits(model.BlockUpdateBudget, p, a.spent, budget, &why))
	}
	return may
}

// explainBudget says what a pod waits for while the budget is spent.
func (pass *updatePass) explainBudget(p *model.Pod, a absence, budget int) {
	if a.unconfirmed != nil {
		pass.out.Block(rollout.BlockGate(a.unconfirmed, policy.After, pass.view.Gates.After, pass.view.Update.Name))
		return
	}
	pass.out.Block(blockUpdateBudget(p, a.lowest, a.spent, budget))
}

// rankedBudget is the budget by ranks. Where the rules know no maxUnavailable, it is 1.
func (v *view) rankedBudget() (int, error) {
	if !v.Rules.MaxUnavailable {
		return 1, nil
	}
	return v.maxUnavailable()
}

// maxUnavailable is the budget of the update: rounded down, at least 1.
func (v *view) maxUnavailable() (int, error) {
	if v.Set.RollingUpdate == nil || v.Set.RollingUpdate.MaxUnavailable == nil {
		return 1, nil
	}
	m := v.Set.RollingUpdate.MaxUnavailable
	if m.Percent == "" {
		return max(1, int(m.Count)), nil
	}
	number, found := strings.CutSuffix(m.Percent, "%")
	percent, err := strconv.ParseInt(number, 10, 32)
	if !found || err != nil {
		return 0, claimtemplate.ErrNoPercentage(m.Percent)
	}
	return max(1, int(percent*int64(v.Set.Replicas)/100)), nil
}

// deleteOutdated plans the deletion and decrements the pod's counter. An ended pod is deleted by an earlier phase of the same plan;
// upstream deletes it again and subtracts twice. A pod that is deleted because of its state must not have changed: a stale cache may
// show it as broken, or somebody else as the leader, or an answer that was taken back.
func (pass *updatePass) deleteOutdated(step *model.Step, slot int, unchanged bool) bool {
	p := pass.view.Replicas[slot]
	if p.HasEnded() && pass.view.Rules.CountersStayTrue {
		return true
	}
	if kept, done := pass.view.updateInPlace(step, p, pass.view.Update, false, pass.out); kept {
		return done
	}
	if claims.StaysForClaims(&pass.view.Claims, pass.out, p, pass.view.Ordinal(slot), model.BlockUpdateWaitsForPod, outdatedIsReplaced) {
		return false
	}
	gated := pass.view.holds() && !p.HasEnded()
	if gated && pass.view.kept(taking{pod: p, revision: pass.view.Update.Name}, pass.out) != nil {
		return false
	}
	unchanged = unchanged || p.Annotations != nil && (pass.view.UnderWay(p) || pass.view.MayStay(p) && pass.view.DifferenceTo(p, pass.view.Update) == inplace.RefusedDifference)
	version := ""
	if unchanged || gated {
		version = p.ResourceVersion
	}
	why := causeOutdated(p, pass.view.Update.Name)
	if pass.view.SpecOf(p) == pass.view.Update.Name && pass.view.RecreatesRefused(p) {
		why = causeResizeRefused(pass.view.SpecOf(p))
	}
	done := pass.view.TakeAway(step, p, version, why, pass.out, pass.view.Update.Name)
	if done != plan.GoOn {
		pass.refused = pass.refused || done == plan.Hold
		return false
	}
	evicted := step.Actions[len(step.Actions)-1].Op == model.Operation(model.EvictPod{})
	pass.ends = pass.ends || !pass.out.Counts && !evicted
	if !pass.out.Counts && evicted {
		pass.refused, pass.again = true, len(step.Actions)
	} else if pass.ends {
		return true // the status counts what is seen
	} else if !pass.view.Rules.CountersStayTrue || p.Revision == pass.view.Current.Name {
		pass.status.CurrentReplicas--
		pass.out.Presume(step)
	}
	return true
}

// tryLast puts an eviction that has failed before at the end of its step, because the first failure ends it.
func (pass *updatePass) tryLast(step *model.Step) {
	if at := pass.again - 1; at >= 0 {
		eviction := step.Actions[at]
		step.Actions = append(slices.Delete(step.Actions, at, at+1), eviction)
	}
}

func (v *view) anyOutdated(from, to int) bool {
	for _, p := range v.Replicas[min(from, to):to] {
		if v.Outdated(p) {
			return true
		}
	}
	return false
}
