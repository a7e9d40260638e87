package engine

import (
	"slices"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/rollout"
)

// updateByRank is the update of a set whose pods have ranks: one pod in each plan, and only as it was seen. So whoever becomes the leader
// meanwhile is not deleted: its label has changed, and with it the resource version.
//
// Pods that are not ready come first, within the budget or because they are shown to be broken. Then the lowest rank, and of those that share it the
// highest ordinal. The leader is the last, once every other pod is available.
func (pass *updatePass) updateByRank(step *model.Step) {
	v := pass.view
	if v.Ranking.Invalid || !v.anyOutdated(v.BelowPartition, len(v.Replicas)) {
		return
	}
	budget, err := v.rankedBudget()
	if err != nil {
		pass.out.Block(blockMaxUnavailable(v.Set, err))
		return
	}
	if slices.ContainsFunc(v.Replicas[v.BelowPartition:], pass.writtenFirst) {
		return // it may be the one whose turn it is
	}
	leads := v.ReadLeadership(pass.out)
	absent := pass.countAbsent()
	pass.told = !leads.Clear() // another block says so
	first := pass.next(func(p *model.Pod) bool {
		return !v.MayLead(p, &leads) && pass.goesFirst(p, leads.Clear(), absent, budget)
	})
	if first >= 0 {
		pass.deleteOutdated(step, first, true)
		return
	}
	if slices.ContainsFunc(v.Replicas[v.BelowPartition:], func(p *model.Pod) bool { return pass.resizesFirst(p) && pass.underWay(p) }) {
		return // one that goes elsewhere, or is recreated, has its turn below
	}
	follower := pass.next(func(p *model.Pod) bool { return p != leads.Leader })
	switch {
	case !leads.Clear():
		pass.out.Block(rollout.BlockLeaderUnclear(v.Set, v.Ranking, &leads, absent.unavailable || len(pass.out.Taken) > 0))
	case follower >= 0 && absent.pods >= budget && !v.costsNothing(v.Replicas[follower]):
		if !pass.told {
			pass.explainBudget(v.Replicas[follower], absent, budget)
		}
	case follower >= 0:
		pass.deleteOutdated(step, follower, true)
	default:
		pass.updateLeader(step, &leads, absent)
	}
}

// goesFirst reports whether a pod comes before all that are ready. While it is not known who leads, only one that is shown to be broken does: any other may
// have led a moment ago.
func (pass *updatePass) goesFirst(p *model.Pod, clear bool, a absence, budget int) bool {
	switch v := pass.view; {
	case clear && pass.costsNothingMore(p, &a, budget):
		return true
	case p.Ready, !clear && !v.broken(p):
		return false
	case a.away <= budget && !(p.NodeLost && !clear):
		return true
	}
	return pass.goesBroken(p, a, budget)
}

// updateLeader updates the leader, if it is outdated, after all others. One that is unavailable is no reason to wait for it.
func (pass *updatePass) updateLeader(step *model.Step, leads *rollout.Leadership, absent absence) {
	leader := leads.Leader
	slot := pass.next(func(p *model.Pod) bool { return p == leader })
	if slot < 0 {
		return
	}
	if other := pass.unavailableBeside(slot); other >= 0 {
		pass.out.Block(rollout.BlockLeaderWaits(pass.view.Ranking, leads, pass.view.Set.PodName(pass.view.Ordinal(other))))
		return
	}
	if absent.unconfirmed != nil {
		pass.explainBudget(leader, absent, 0)
		return
	}
	pass.deleteOutdated(step, slot, true)
}

// next is the slot of the pod that is updated first, of the outdated ones that picks takes; -1: of none.
func (pass *updatePass) next(picks func(*model.Pod) bool) (next int) {
	v := pass.view
	next = -1
	var least int32
	for slot := len(v.Replicas) - 1; slot >= v.BelowPartition; slot-- {
		p := v.Replicas[slot]
		if !v.Outdated(p) || p.Terminating() || p.HasEnded() || pass.underWay(p) || !picks(p) {
			continue
		}
		if rank, _ := v.Ranking.Rank(p); next < 0 || rank < least {
			next, least = slot, rank
		}
	}
	return next
}

// unavailableBeside is the lowest other slot whose pod is missing or unavailable; -1: there is none.
func (pass *updatePass) unavailableBeside(slot int) int {
	for other, p := range pass.view.Replicas {
		if other != slot && pass.view.Absent(p) {
			return other
		}
	}
	return -1
}
