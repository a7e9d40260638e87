package engine

import (
	"slices"

	"github.com/setplan/setplan/engine/model"
)

// repairPass is the repair.
type repairPass struct {
	view   *view
	status *model.Status // whose counters go down with the pod that goes
	out    *draft
}

// repairPods replaces a pod that cannot become ready and would be recreated at another revision: a leftover of a bad template that has been
// corrected since (kubernetes/kubernetes#67250). It deletes one at a time, the highest first, and none if this plan already deletes a
// replica. It never deletes an available pod: the precondition on the resource version fails if the pod became ready. A pod that is on its way to a bad
// image is sent elsewhere in place, whatever the policy is.
func repairPods(v *view, mk *maker, status *model.Status, out *draft) {
	if v.updatedByHand() || v.paused >= pauseUpdates || status.ReadyReplicas == status.Replicas {
		return
	}
	pass := repairPass{v, status, out}
	slot := pass.nextBroken()
	switch {
	case slot < 0, takesAwayReplicas(out):
		return
	case !v.canBeAt(slot, out), !v.canBe(pass.comesBackAt(slot), out):
		return // no pod can have that revision, and a block says why
	case v.current.lost && pass.comesBackAtCurrent(slot):
		mk.readyToMake(true) // it is not, and a block says so
		return
	case pass.inPlaceWaits(slot), pass.staysInPlace(slot), !v.covers(pass.view.replicas[slot]), pass.repairWaits(slot), pass.repairReleases(slot), pass.waitsOutside(slot):
		return
	}
	p := v.replicas[slot]
	_, revision, ok := mk.readyToMake(pass.comesBackAtCurrent(slot))
	if !ok {
		return // it could not be recreated, and a block says why
	}
	if why := v.kept(taking{p, revision, true}, out); why != nil {
		out.block(blockRepairHeldUntil(p, why.until, pass.whyRepair(slot)))
		return
	}
	out.startPhase()
	var step model.Step
	if v.takeAway(&step, p, p.ResourceVersion, causeRepair(pass.whyRepair(slot)), out, revision) == goOn && out.takesTurn(&step) {
		out.stage(model.Stage{Phase: model.PhaseUpdate, Steps: []model.Step{step}, OnFailure: model.Stop, AlwaysRun: out.stuck()})
		if out.counts {
			pass.uncount(p)
			out.presume(&step)
		}
	}
}

// nextBroken is the highest slot whose pod is to be repaired; one that was refused the last time, or was ready a moment ago, comes after all others.
// -1: there is none.
func (pass *repairPass) nextBroken() (next int) {
	next = -1
	for slot := len(pass.view.replicas) - 1; slot >= 0; slot-- {
		switch {
		case !pass.needsRepair(slot):
		case !pass.refusedBefore(slot) && (pass.view.mayRepair(pass.view.replicas[slot]) || pass.view.unproven(pass.view.replicas[slot])):
			return slot
		case next < 0:
			next = slot
		}
	}
	return next
}

// refusedBefore reports whether the API server refused the last time that a slot's pod is replaced, or sent elsewhere in place, or whether a claim holds it.
func (pass *repairPass) refusedBefore(slot int) bool {
	if pass.view.heldBy(pass.view.replicas[slot], pass.view.ordinal(slot)) != "" {
		return true
	}
	if len(pass.out.failed) == 0 {
		return false
	}
	p, facts := pass.view.replicas[slot], []string{pass.comesBackAt(slot)}
	return slices.ContainsFunc([]model.Operation{model.DeletePod{}, model.EvictPod{}, model.UpdatePod{}}, func(op model.Operation) bool {
		return pass.out.failed[actionID(&model.Action{Name: p.Name, UID: p.UID, Op: op}, facts)] != nil
	})
}

// needsRepair reports whether the policy wants this pod replaced, now or later, or the pod is to be sent elsewhere in place.
func (pass *repairPass) needsRepair(slot int) bool {
	p := pass.view.replicas[slot]
	return p != nil && pass.view.unfit(p) && !p.Terminating() && !p.HasEnded() && pass.isElsewhere(slot) && !pass.out.updated[p.UID]
}

// isElsewhere reports whether a pod would be recreated at another revision. One that is on its way to the update revision counts once it is below
// the partition and has had its time: somebody has taken back a canary.
func (pass *repairPass) isElsewhere(slot int) bool {
	v, p := pass.view, pass.view.replicas[slot]
	runs := v.specOf(p)
	switch {
	case runs == pass.comesBackAt(slot):
		return false
	case runs != v.update.name, v.atRest(p, runs):
		return true
	}
	return v.set.RollingUpdate != nil && slot < v.belowPartition && pass.hadItsTime(v.flightOf(p))
}

// hadItsTime reports whether the images of a pod were changed long enough ago for it to be ready.
func (pass *repairPass) hadItsTime(f *flight) bool {
	wait := f.at.Add(minRepairAge).Sub(pass.view.now)
	if wait <= 0 || wait > minRepairAge { // a clock was set back
		return true
	}
	pass.out.lookAgainIn(wait)
	return false
}

// staysInPlace reports whether the set keeps the pod, and updates it in place if that is possible.
func (pass *repairPass) staysInPlace(slot int) (kept bool) {
	to := pass.view.update
	if pass.comesBackAtCurrent(slot) {
		to = pass.view.current
	}
	pass.out.startPhase()
	stage := model.Stage{Phase: model.PhaseUpdate, OnFailure: model.Stop, AlwaysRun: pass.out.stuck()}
	stage.Add(func(step *model.Step) {
		kept, _ = pass.view.updateInPlace(step, pass.view.replicas[slot], to, true, pass.out)
	})
	pass.out.stage(stage)
	return kept
}

// comesBackAt is the revision at which a slot's pod would be recreated.
func (pass *repairPass) comesBackAt(slot int) string {
	if pass.comesBackAtCurrent(slot) {
		return pass.view.current.name
	}
	return pass.view.update.name
}

// comesBackAtCurrent is staysCurrent for a pod that is still there. Without rollingUpdate it depends on the number
// of pods at the current revision, as this plan writes it, without the pod that is deleted.
func (pass *repairPass) comesBackAtCurrent(slot int) bool {
	if pass.view.set.RollingUpdate != nil || pass.view.ranking.on || pass.view.excluded(pass.view.update.name) {
		return pass.view.staysCurrent(slot)
	}
	current := int(pass.status.CurrentReplicas) - pass.view.leaving
	if pass.view.replicas[slot].Revision == pass.view.current.name {
		current--
	}
	return slot < current
}

// repairWaits reports whether a repair has to wait, and adds a block that says why.
func (pass *repairPass) repairWaits(slot int) bool {
	p := pass.view.replicas[slot]
	if at := p.CreatedAt.Add(minRepairAge); at.After(pass.view.now) {
		pass.out.lookAgainIn(at.Sub(pass.view.now))
		if p.Name != pass.out.waiting {
			pass.out.block(blockRepairTooYoung(p, pass.whyRepair(slot), at))
		}
		return true
	}
	if at, ok := pass.view.provenAt(p); !pass.view.mayRepair(p) {
		if ok {
			pass.out.lookAgainIn(at.Sub(pass.view.now))
		}
		if p.Name != pass.out.waiting {
			pass.out.block(blockRepairUnproven(p, pass.whyRepair(slot), at))
		}
		return true
	}
	for _, other := range pass.view.replicas {
		if other != nil && other.Terminating() {
			pass.out.block(blockRepairWaitsFor(p, other, pass.whyRepair(slot)))
			return true
		}
	}
	return false
}

// inPlaceWaits reports whether a pod that is not ready, and that the set keeps, waits before its containers start again elsewhere.
func (pass *repairPass) inPlaceWaits(slot int) bool {
	v, p, to := pass.view, pass.view.replicas[slot], pass.view.update
	if pass.comesBackAtCurrent(slot) {
		to = v.current
	}
	return v.updatesInPlace(p, to) && v.differenceTo(p, to).restarts() && pass.waitsOutside(slot)
}

// waitsOutside reports whether the budget is spent and a pod that is not ready does not go outside it yet. Then a block says why.
func (pass *repairPass) waitsOutside(slot int) bool {
	budget, err := pass.view.rankedBudget()
	if err == nil && pass.beside(slot) < budget {
		return false
	}
	p := pass.view.replicas[slot]
	why, may := pass.view.mayGoBroken(p, pass.out)
	if !may && p.Name != pass.out.waiting {
		pass.out.block(blockRepairOutside(p, pass.whyRepair(slot), &why))
	}
	return !may
}

// beside counts the other slots without an available pod.
func (pass *repairPass) beside(slot int) (n int) {
	for other, q := range pass.view.replicas {
		if other != slot && pass.view.absent(q) {
			n++
		}
	}
	return n
}

func (pass *repairPass) whyRepair(slot int) string {
	p := pass.view.replicas[slot]
	return whyRepair(pass.view.specOf(p), p.NeverReady(), pass.comesBackAt(slot))
}

// uncount decrements the counters of a deleted pod: without rollingUpdate they decide at which revision pods are recreated.
func (pass *repairPass) uncount(p *model.Pod) {
	if p.Revision == pass.view.current.name {
		pass.status.CurrentReplicas--
	}
	if pass.view.atRest(p, pass.view.update.name) {
		pass.status.UpdatedReplicas--
	}
}

// repairReleases is staysForClaims for a pod to be repaired. Upstream has no repair, so this does not depend on the rule; without the rule
// the claims are released here.
func (pass *repairPass) repairReleases(slot int) bool {
	p, ordinal := pass.view.replicas[slot], pass.view.ordinal(slot)
	if name := pass.view.heldBy(p, ordinal); name != "" {
		pass.out.block(blockRepairHeld(p, pass.whyRepair(slot), name))
		return true
	}
	if !pass.view.takesAlong(p, ordinal) {
		return false
	}
	pass.out.block(blockRepairStays(p, pass.whyRepair(slot)))
	pass.out.startPhase()
	stage := model.Stage{Phase: model.PhaseUpdate, OnFailure: model.Stop, AlwaysRun: pass.out.stuck()}
	stage.Add(func(step *model.Step) { fixClaimOwners(pass.view, pass.out, step, ordinal, podRef{p.Name, p.UID}) })
	pass.out.stage(stage)
	return true
}
