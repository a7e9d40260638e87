package engine

import (
	"strconv"
	"strings"
)

// updatePass is the update.
type updatePass struct {
	view   *view
	status *Status // whose counters go down with the pods that go
	out    *draft
}

// updatePods deletes outdated pods from the highest ordinal down to the partition, so that they are recreated at the update revision.
func updatePods(v *view, status *Status, out *draft) {
	if v.updatedByHand() || v.paused >= pauseUpdates {
		return
	}
	pass := updatePass{v, status, out}
	out.startPhase()
	var step Step
	if v.rules.MaxUnavailable {
		pass.updateWithinBudget(&step)
	} else {
		pass.updateOne(&step)
	}
	if len(step.Actions) > 0 {
		out.stage(Stage{Phase: PhaseUpdate, Steps: []Step{step}, OnFailure: Stop})
	}
}

// updateOne is the rule without maxUnavailable: it deletes the highest outdated pod, unless a higher pod is not available yet.
func (pass *updatePass) updateOne(step *Step) {
	for slot := len(pass.view.replicas) - 1; slot >= pass.view.belowPartition; slot-- {
		pass.view.meter.work(partReplicas, 1)
		p := pass.view.replicas[slot]
		if pass.view.outdated(p) && !p.terminating() {
			pass.deleteOutdated(step, slot, false)
			return
		}
		if pass.view.unavailable(p) {
			if p != nil && pass.view.anyOutdated(pass.view.belowPartition, slot) { // without a pod, another block says why there is none
				pass.out.block(blockUpdateWaits(p, pass.view.waitFor(p)))
			}
			return
		}
	}
}

// updateWithinBudget is the rule with maxUnavailable (updateStatefulSetAfterInvariantEstablished upstream): it deletes as many pods as
// the budget allows. Every pod of the range that is already unavailable counts.
func (pass *updatePass) updateWithinBudget(step *Step) {
	budget, err := pass.view.maxUnavailable()
	if err != nil {
		pass.out.block(blockMaxUnavailable(pass.view.set, err))
		return
	}
	if !pass.view.anyOutdated(pass.view.belowPartition, len(pass.view.replicas)) {
		return
	}
	unavailable := 0
	var lowest *Pod
	for slot := len(pass.view.replicas) - 1; slot >= 0; slot-- {
		pass.view.meter.workAlong(partReplicas, 1, len(pass.view.replicas)-1-slot, len(pass.view.replicas))
		if p := pass.view.replicas[slot]; pass.view.unavailable(p) {
			unavailable++
			if p != nil {
				lowest = p
			}
		}
	}
	held := false
	for slot := len(pass.view.replicas) - 1; slot >= pass.view.belowPartition; slot-- {
		pass.view.meter.workAlong(partReplicas, 1, len(pass.view.replicas)-1-slot, len(pass.view.replicas))
		p := pass.view.replicas[slot]
		if !pass.view.outdated(p) || p.terminating() {
			continue
		}
		// This does not fix a pod that would be recreated at the old revision.
		free := pass.view.rules.BrokenPodsOutsideBudget && pass.view.unavailable(p) && !pass.view.staysCurrent(slot)
		if !free && unavailable >= budget {
			if !held {
				held = true
				pass.out.block(blockUpdateBudget(p, lowest, unavailable, budget))
			}
			continue // a broken pod further down may still be deleted
		}
		if !pass.deleteOutdated(step, slot, free) {
			return
		}
		if !free {
			unavailable++
		}
	}
}

// maxUnavailable is the budget of the update: rounded down, at least 1.
func (v *view) maxUnavailable() (int, error) {
	if v.set.RollingUpdate == nil || v.set.RollingUpdate.MaxUnavailable == nil {
		return 1, nil
	}
	m := v.set.RollingUpdate.MaxUnavailable
	if m.Percent == "" {
		return max(1, int(m.Count)), nil
	}
	number, found := strings.CutSuffix(m.Percent, "%")
	percent, err := strconv.ParseInt(number, 10, 32)
	if !found || err != nil {
		return 0, errNoPercentage(m.Percent)
	}
	return max(1, int(percent*int64(v.set.Replicas)/100)), nil
}

// deleteOutdated plans the deletion and decrements the pod's counter. An ended pod is deleted by an earlier phase of the same plan;
// upstream deletes it again and subtracts twice. A pod that is deleted because it is broken must not have changed: a stale cache may
// show it as broken.
func (pass *updatePass) deleteOutdated(step *Step, slot int, broken bool) bool {
	p := pass.view.replicas[slot]
	if p.ended() && pass.view.rules.CountersStayTrue {
		return true
	}
	if staysForClaims(pass.view, pass.out, p, pass.view.ordinal(slot), BlockUpdateWaitsForPod, outdatedIsReplaced) {
		return false
	}
	version := ""
	if broken {
		version = p.ResourceVersion
	}
	if !pass.out.emit(step, Action{Kind: KindPod, Name: p.Name, UID: p.UID, ResourceVersion: version, Op: DeletePod{},
		Cause: causeOutdated(p, pass.view.update.name)}, pass.view.update.name) {
		return false
	}
	if !pass.view.rules.CountersStayTrue || p.Revision == pass.view.current.name {
		pass.status.CurrentReplicas--
	}
	return true
}

func (v *view) anyOutdated(from, to int) bool {
	for _, p := range v.replicas[min(from, to):to] {
		if v.outdated(p) {
			return true
		}
	}
	return false
}
