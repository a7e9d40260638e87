package engine

import "time"

// minRepairAge is how old a pod must be before it is repaired: it may be about to become ready, and a template that is
// edited several times in a row should not cost a pod for each.
const minRepairAge = 10 * time.Second

// repairPass is the repair.
type repairPass struct {
	view   *view
	status *Status // whose counters go down with the pod that goes
	out    *draft
}

// repairPods replaces a pod that cannot become ready and would come back at another revision: what is left of a template
// that has been mended since (kubernetes/kubernetes#67250). It deletes one at a time, the highest first, and none if this
// plan deletes a replica already. It never deletes an available pod: the resource version's precondition fails if the pod became
// ready.
func repairPods(v *view, mk *maker, status *Status, out *draft) {
	if v.repairs == repairNever || v.updatedByHand() || v.paused >= pauseUpdates || status.ReadyReplicas == status.Replicas || out.plan.Truncated {
		return
	}
	pass := repairPass{v, status, out}
	slot := len(v.replicas) - 1
	for slot >= 0 && !pass.needsRepair(slot) {
		v.meter.work(partReplicas, 1)
		slot--
	}
	if slot < 0 || pass.takesAwayReplicas() || pass.repairWaits(slot) || pass.repairReleases(slot) {
		return
	}
	_, revision, ok := mk.readyToMake(pass.comesBackAtCurrent(slot))
	if !ok {
		return // it could not come back, and a block says why
	}
	p := v.replicas[slot]
	out.startPhase()
	var step Step
	if out.emit(&step, Action{Kind: KindPod, Name: p.Name, UID: p.UID, ResourceVersion: p.ResourceVersion, Op: DeletePod{},
		Cause: causeRepair(pass.whyRepair(slot))}, revision) {
		out.stage(Stage{Phase: PhaseUpdate, Steps: []Step{step}, OnFailure: Stop})
		pass.uncount(p)
	}
}

// needsRepair reports whether the policy wants this pod replaced, now or later. One that could not be made again stays.
func (pass *repairPass) needsRepair(slot int) bool {
	p := pass.view.replicas[slot]
	if p == nil || pass.view.current.lost && pass.comesBackAtCurrent(slot) {
		return false
	}
	return pass.view.mayRepair(p) && !p.terminating() && !p.ended() && p.Revision != pass.comesBackAt(slot)
}

// comesBackAt is the revision of the pod that is made when the one in a slot has gone.
func (pass *repairPass) comesBackAt(slot int) string {
	if pass.comesBackAtCurrent(slot) {
		return pass.view.current.name
	}
	return pass.view.update.name
}

// comesBackAtCurrent is staysCurrent for a pod that is still there. Without rollingUpdate the answer follows from the
// number of pods at the current revision: those that there are now, as this plan writes it, without the pod that goes.
func (pass *repairPass) comesBackAtCurrent(slot int) bool {
	if pass.view.set.RollingUpdate != nil {
		return pass.view.staysCurrent(slot)
	}
	current := int(pass.status.CurrentReplicas) - pass.view.leaving
	if pass.view.replicas[slot].Revision == pass.view.current.name {
		current--
	}
	return slot < current
}

// takesAwayReplicas reports whether the plan deletes a pod of the range already.
func (pass *repairPass) takesAwayReplicas() bool {
	for _, stage := range pass.out.plan.Stages {
		if stage.Phase != PhaseReplicas && stage.Phase != PhaseUpdate {
			continue
		}
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if a.Kind == KindPod && a.Op.destructive() {
					return true
				}
			}
		}
	}
	return false
}

// repairWaits reports whether a pod that is to be repaired stays for now, and adds the block that says why.
func (pass *repairPass) repairWaits(slot int) bool {
	p := pass.view.replicas[slot]
	if at := p.CreatedAt.Add(minRepairAge); at.After(pass.view.now) {
		pass.out.lookAgainIn(at.Sub(pass.view.now))
		pass.out.block(blockRepairTooYoung(p, pass.whyRepair(slot), at))
		return true
	}
	for _, other := range pass.view.replicas {
		pass.view.meter.work(partReplicas, 1)
		if other != nil && other.terminating() {
			pass.out.block(blockRepairWaitsFor(p, other, pass.whyRepair(slot)))
			return true
		}
	}
	return false
}

func (pass *repairPass) whyRepair(slot int) string {
	p := pass.view.replicas[slot]
	return whyRepair(p, p.neverReady(), pass.comesBackAt(slot))
}

// uncount takes a pod that is deleted off the counters that it was in: what comes back without rollingUpdate is decided by
// them.
func (pass *repairPass) uncount(p *Pod) {
	if p.Revision == pass.view.current.name {
		pass.status.CurrentReplicas--
	}
	if p.Revision == pass.view.update.name {
		pass.status.UpdatedReplicas--
	}
}

// repairReleases is staysForClaims for a pod that is to be repaired. There is no repair upstream, so this is no matter of the rule;
// without it the claims are released here.
func (pass *repairPass) repairReleases(slot int) bool {
	p, ordinal := pass.view.replicas[slot], pass.view.ordinal(slot)
	if !pass.view.takesAlong(p, ordinal) {
		return false
	}
	pass.out.block(blockRepairStays(p, pass.whyRepair(slot)))
	pass.out.startPhase()
	stage := Stage{Phase: PhaseUpdate, OnFailure: Stop}
	stage.plan(func(step *Step) { fixClaimOwners(pass.view, pass.out, step, ordinal, podRef{p.Name, p.UID}) })
	pass.out.stage(stage)
	return true
}
