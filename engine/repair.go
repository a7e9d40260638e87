package engine

import (
	"slices"

	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/rollout"
	"github.com/setplan/setplan/engine/state"
)

// repairPass is the repair.
type repairPass struct {
	view   *view
	status *model.Status // whose counters go down with the pod that goes
	out    *state.Draft
}

// repairPods replaces a pod that cannot become ready and would be recreated at another revision: a leftover of a bad template that has been
// corrected since (kubernetes/kubernetes#67250). It deletes one at a time, the highest first, and none if this plan already deletes a
// replica. It never deletes an available pod: the precondition on the resource version fails if the pod became ready. A pod that is on its way to a bad
// image is sent elsewhere in place, whatever the policy is.
func repairPods(v *view, mk *claimtemplate.Maker, status *model.Status, out *state.Draft) {
	if v.UpdatedByHand() || v.Paused >= state.PauseUpdates || status.ReadyReplicas == status.Replicas {
		return
	}
	pass := repairPass{v, status, out}
	slot := pass.nextBroken()
	switch {
	case slot < 0, out.TakesAwayReplicas():
		return
	case !v.canBeAt(slot, out), !v.canBe(pass.comesBackAt(slot), out):
		return // no pod can have that revision, and a block says why
	case v.Current.Lost && pass.comesBackAtCurrent(slot):
		readyToMake(pass.view, mk, true) // it is not, and a block says so
		return
	case pass.inPlaceWaits(slot), pass.staysInPlace(slot), !v.covers(pass.view.Replicas[slot]), pass.repairWaits(slot), pass.repairReleases(slot), pass.waitsOutside(slot):
		return
	}
	p := v.Replicas[slot]
	_, revision, ok := readyToMake(pass.view, mk, pass.comesBackAtCurrent(slot))
	if !ok {
		return // it could not be recreated, and a block says why
	}
	if why := v.kept(taking{p, revision, true}, out); why != nil {
		out.Block(rollout.BlockRepairHeldUntil(p, why.until, pass.whyRepair(slot)))
		return
	}
	out.StartPhase()
	var step model.Step
	if v.TakeAway(&step, p, p.ResourceVersion, causeRepair(pass.whyRepair(slot)), out, revision) == plan.GoOn && out.TakesTurn(&step) {
		out.Add(model.Stage{Phase: model.PhaseUpdate, Steps: []model.Step{step}, OnFailure: model.Stop, AlwaysRun: out.Stuck()})
		if out.Counts {
			pass.uncount(p)
			out.Presume(&step)
		}
	}
}

// nextBroken is the highest slot whose pod is to be repaired; one that was refused the last time, or was ready a moment ago, comes after all others.
// -1: there is none.
func (pass *repairPass) nextBroken() (next int) {
	next = -1
	for slot := len(pass.view.Replicas) - 1; slot >= 0; slot-- {
		switch {
		case !pass.needsRepair(slot):
		case !pass.refusedBefore(slot) && (pass.view.mayRepair(pass.view.Replicas[slot]) || pass.view.unproven(pass.view.Replicas[slot])):
			return slot
		case next < 0:
			next = slot
		}
	}
	return next
}

// refusedBefore reports whether the API server refused the last time that a slot's pod is replaced, or sent elsewhere in place, or whether a claim holds it.
func (pass *repairPass) refusedBefore(slot int) bool {
	if pass.view.HeldBy(pass.view.Replicas[slot], pass.view.Ordinal(slot)) != "" {
		return true
	}
	p, revision := pass.view.Replicas[slot], pass.comesBackAt(slot)
	return slices.ContainsFunc([]model.Operation{model.DeletePod{}, model.EvictPod{}, model.UpdatePod{}}, func(op model.Operation) bool {
		return pass.out.Failed(&model.Action{Name: p.Name, UID: p.UID, Op: op}, revision) != nil
	})
}

// needsRepair reports whether the policy wants this pod replaced, now or later, or the pod is to be sent elsewhere in place.
func (pass *repairPass) needsRepair(slot int) bool {
	p := pass.view.Replicas[slot]
	return p != nil && pass.view.unfit(p) && !p.Terminating() && !p.HasEnded() && pass.isElsewhere(slot) && !pass.out.Updated[p.UID]
}

// isElsewhere reports whether a pod would be recreated at another revision. One that is on its way to the update revision counts once it is below
// the partition and has had its time: somebody has taken back a canary.
func (pass *repairPass) isElsewhere(slot int) bool {
	v, p := pass.view, pass.view.Replicas[slot]
	runs := v.SpecOf(p)
	switch {
	case runs == pass.comesBackAt(slot):
		return false
	case runs != v.Update.Name, v.AtRest(p, runs):
		return true
	}
	return v.Set.RollingUpdate != nil && slot < v.BelowPartition && pass.hadItsTime(v.FlightOf(p))
}

// hadItsTime reports whether the images of a pod were changed long enough ago for it to be ready.
func (pass *repairPass) hadItsTime(f *inplace.Flight) bool {
	wait := f.At.Add(state.MinRepairAge).Sub(pass.view.Now)
	if wait <= 0 || wait > state.MinRepairAge { // a clock was set back
		return true
	}
	pass.out.LookAgainIn(wait)
	return false
}

// staysInPlace reports whether the set keeps the pod, and updates it in place if that is possible.
func (pass *repairPass) staysInPlace(slot int) (kept bool) {
	to := pass.view.Update
	if pass.comesBackAtCurrent(slot) {
		to = pass.view.Current
	}
	pass.out.StartPhase()
	stage := model.Stage{Phase: model.PhaseUpdate, OnFailure: model.Stop, AlwaysRun: pass.out.Stuck()}
	stage.Add(func(step *model.Step) {
		kept, _ = pass.view.updateInPlace(step, pass.view.Replicas[slot], to, true, pass.out)
	})
	pass.out.Add(stage)
	return kept
}

// comesBackAt is the revision at which a slot's pod would be recreated.
func (pass *repairPass) comesBackAt(slot int) string {
	if pass.comesBackAtCurrent(slot) {
		return pass.view.Current.Name
	}
	return pass.view.Update.Name
}

// comesBackAtCurrent is inplace.StaysCurrent for a pod that is still there. Without rollingUpdate it depends on the number
// of pods at the current revision, as this plan writes it, without the pod that is deleted.
func (pass *repairPass) comesBackAtCurrent(slot int) bool {
	if pass.view.Set.RollingUpdate != nil || pass.view.Recreates() || pass.view.UpdatedByHand() || pass.view.Ranking.On || pass.view.Excluded(pass.view.Update.Name) {
		return pass.view.StaysCurrent(slot)
	}
	current := int(pass.status.CurrentReplicas) - pass.view.Leaving
	if pass.view.Replicas[slot].Revision == pass.view.Current.Name {
		current--
	}
	return slot < current
}

// repairWaits reports whether a repair has to wait, and adds a block that says why.
func (pass *repairPass) repairWaits(slot int) bool {
	p := pass.view.Replicas[slot]
	if at := p.CreatedAt.Add(state.MinRepairAge); at.After(pass.view.Now) {
		pass.out.LookAgainIn(at.Sub(pass.view.Now))
		if p.Name != pass.out.Waiting {
			pass.out.Block(blockRepairTooYoung(p, pass.whyRepair(slot), at))
		}
		return true
	}
	if at, ok := pass.view.provenAt(p); !pass.view.mayRepair(p) {
		if ok {
			pass.out.LookAgainIn(at.Sub(pass.view.Now))
		}
		if p.Name != pass.out.Waiting {
			pass.out.Block(blockRepairUnproven(p, pass.whyRepair(slot), at))
		}
		return true
	}
	for _, other := range pass.view.Replicas {
		if other != nil && other.Terminating() {
			pass.out.Block(blockRepairWaitsFor(p, other, pass.whyRepair(slot)))
			return true
		}
	}
	return false
}

// inPlaceWaits reports whether a pod that is not ready, and that the set keeps, waits before its containers start again elsewhere.
func (pass *repairPass) inPlaceWaits(slot int) bool {
	v, p, to := pass.view, pass.view.Replicas[slot], pass.view.Update
	if pass.comesBackAtCurrent(slot) {
		to = v.Current
	}
	return v.updatesInPlace(p, to) && v.DifferenceTo(p, to).Restarts() && pass.waitsOutside(slot)
}

// waitsOutside reports whether the budget is spent and a pod that is not ready does not go outside it yet. Then a block says why.
func (pass *repairPass) waitsOutside(slot int) bool {
	budget, err := pass.view.rankedBudget()
	if err == nil && pass.beside(slot) < budget {
		return false
	}
	p := pass.view.Replicas[slot]
	why, may := pass.view.mayGoBroken(p, pass.out)
	if !may && p.Name != pass.out.Waiting {
		pass.out.Block(blockRepairOutside(p, pass.whyRepair(slot), &why))
	}
	return !may
}

// beside counts the other slots without an available pod.
func (pass *repairPass) beside(slot int) (n int) {
	for other, q := range pass.view.Replicas {
		if other != slot && pass.view.Absent(q) {
			n++
		}
	}
	return n
}

func (pass *repairPass) whyRepair(slot int) string {
	p := pass.view.Replicas[slot]
	return whyRepair(pass.view.SpecOf(p), p.NeverReady(), pass.comesBackAt(slot))
}

// uncount decrements the counters of a deleted pod: without rollingUpdate they decide at which revision pods are recreated.
func (pass *repairPass) uncount(p *model.Pod) {
	if p.Revision == pass.view.Current.Name {
		pass.status.CurrentReplicas--
	}
	if pass.view.AtRest(p, pass.view.Update.Name) {
		pass.status.UpdatedReplicas--
	}
}

// repairReleases is claims.StaysForClaims for a pod to be repaired. Upstream has no repair, so this does not depend on the rule; without the rule
// the claims are released here.
func (pass *repairPass) repairReleases(slot int) bool {
	p, ordinal := pass.view.Replicas[slot], pass.view.Ordinal(slot)
	if name := pass.view.HeldBy(p, ordinal); name != "" {
		pass.out.Block(blockRepairHeld(p, pass.whyRepair(slot), name))
		return true
	}
	if !pass.view.TakesAlong(p, ordinal) {
		return false
	}
	pass.out.Block(blockRepairStays(p, pass.whyRepair(slot)))
	pass.out.StartPhase()
	stage := model.Stage{Phase: model.PhaseUpdate, OnFailure: model.Stop, AlwaysRun: pass.out.Stuck()}
	stage.Add(func(step *model.Step) {
		claims.FixClaimOwners(&pass.view.Claims, pass.out, step, ordinal, claims.RefTo(p))
	})
	pass.out.Add(stage)
	return true
}
