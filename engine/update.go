package engine

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/rollout"
	"github.com/setplan/setplan/engine/state"
)

// updatePods deletes outdated pods from the highest ordinal down to the partition, so that they are recreated at the update revision.
func updatePods(v *view, status *model.Status, out *state.Draft) {
	if v.UpdatedByHand() || v.Recreates() || v.Paused >= state.PauseUpdates || !v.canBe(v.Update.Name, out) {
		return
	}
	pass := updatePass{view: v, status: status, out: out}
	out.StartPhase()
	var step model.Step
	switch {
	case v.Ranking.On:
		pass.updateByRank(&step)
	case v.Rules.MaxUnavailable:
		pass.updateWithinBudget(&step)
	default:
		pass.updateOne(&step)
	}
	pass.tryLast(&step)
	if len(step.Actions) > 0 {
		out.Add(model.Stage{Phase: model.PhaseUpdate, Steps: []model.Step{step}, OnFailure: model.Stop})
	}
}

// updateOne is the rule without maxUnavailable: it deletes the highest outdated pod, unless a higher pod is not available or not confirmed yet.
func (pass *updatePass) updateOne(step *model.Step) {
	for slot := len(pass.view.Replicas) - 1; slot >= pass.view.BelowPartition; slot-- {
		p := pass.view.Replicas[slot]
		if pass.view.Outdated(p) && !p.Terminating() {
			if pass.letsPass(p) {
				continue
			}
			slot = pass.firstOnItsWay(slot)
			if p = pass.view.Replicas[slot]; !pass.underWay(p) {
				pass.deleteOutdated(step, slot, false)
			}
			return
		}
		if pass.view.Unavailable(p) {
			if p != nil && pass.view.anyOutdated(pass.view.BelowPartition, slot) { // without a pod, another block says why there is none
				pass.out.Block(blockUpdateWaits(p, pass.view.waitFor(p)))
			}
			return
		}
		if pass.view.Unconfirmed(p) {
			if pass.view.anyOutdated(pass.view.BelowPartition, slot) {
				pass.out.Block(rollout.BlockGate(p, policy.After, pass.view.Gates.After, pass.view.Update.Name))
			}
			return
		}
	}
}

// firstOnItsWay is the slot of the highest pod up to a slot whose containers may be about to start again, since no other one starts before they have;
// or else the slot itself.
func (pass *updatePass) firstOnItsWay(slot int) int {
	for other := slot; other >= pass.view.BelowPartition; other-- {
		p := pass.view.Replicas[other]
		if p != nil && p.Annotations != nil && !p.Terminating() && pass.view.StartingAnew(p) {
			return other
		}
	}
	return slot
}

// updateWithinBudget is the rule with maxUnavailable (updateStatefulSetAfterInvariantEstablished upstream): it deletes as many pods as
// the budget allows. Every pod of the range that is already unavailable counts.
func (pass *updatePass) updateWithinBudget(step *model.Step) {
	budget, err := pass.view.maxUnavailable()
	if err != nil {
		pass.out.Block(blockMaxUnavailable(pass.view.Set, err))
		return
	}
	if !pass.view.anyOutdated(pass.view.BelowPartition, len(pass.view.Replicas)) {
		return
	}
	absent := pass.countAbsent()
	unavailableFirst := pass.view.Rules.UnavailableFirst && pass.view.Parallel()
	if unavailableFirst && !pass.takeUnavailable(step) {
		return
	}
	held, first := false, false // first: a higher pod is written to before it can be updated, or gets resources, and no other one overtakes it
	for slot := len(pass.view.Replicas) - 1; slot >= pass.view.BelowPartition; slot-- {
		p := pass.view.Replicas[slot]
		if !pass.view.Outdated(p) || p.Terminating() || pass.underWay(p) || unavailableFirst && pass.view.Unavailable(p) {
			first = first || pass.writtenFirst(p) || pass.resizesFirst(p)
			continue
		}
		// That a pod is not ready does not count where it would be recreated at the old revision.
		unready := !p.Ready && (pass.view.Rules.BrokenPodsOutsideBudget && !pass.view.StaysCurrent(slot) || p.Annotations != nil && pass.view.StartingAnew(p))
		free := !held && (!first || pass.isMarkedNext(p)) && pass.view.costsNothing(p) || pass.costsNothingMore(p, &absent, budget) ||
			unready && (p.HasEnded() || absent.away <= budget || absent.pods >= budget && pass.goesBroken(p, absent, budget))
		if first && !free && !pass.isMarkedNext(p) {
			continue
		}
		if !free && absent.pods >= budget {
			if !held && !pass.told {
				pass.explainBudget(p, absent, budget)
			}
			held = true
			continue // a broken pod further down may still be deleted
		}
		if pass.refused && p.CostsBudget() {
			continue
		}
		refusedBefore := pass.refused
		if !pass.deleteOutdated(step, slot, free) {
			if pass.refused != refusedBefore {
				continue
			}
			return
		}
		if !free {
			absent.pods++
			absent.spent.on(pass.view, p)
		}
		if !pass.view.Unavailable(p) && !pass.view.costsNothing(p) {
			absent.away++
		}
		first = first || pass.writtenFirst(p) || pass.resizesFirst(p)
	}
}

// takeUnavailable is the first of the two passes that Kubernetes 1.37 makes over a Parallel set: every outdated pod that is not available goes, whatever
// the budget is. It returns false if no other pod may go in this plan.
func (pass *updatePass) takeUnavailable(step *model.Step) bool {
	v := pass.view
	for slot := len(v.Replicas) - 1; slot >= v.BelowPartition; slot-- {
		p := v.Replicas[slot]
		if !v.Outdated(p) || p.Terminating() || pass.underWay(p) || !v.Unavailable(p) {
			continue
		}
		if refused := pass.refused; !pass.deleteOutdated(step, slot, true) && pass.refused == refused {
			return false
		}
	}
	return true
}
