package engine

import (
	"fmt"
	"slices"

	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/drain"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/rollout"
	"github.com/setplan/setplan/engine/state"
)

// replicaPass is the walk over the range.
type replicaPass struct {
	view  *view
	drain *drain.Drain
	maker *claimtemplate.Maker
	up    *rollout.ScaleUp // of a Parallel set
	out   *state.Draft
}

// bringUpReplicas walks the range upwards (processReplica upstream). It returns false if later passes must wait.
func bringUpReplicas(v *view, dr *drain.Drain, mk *claimtemplate.Maker, out *state.Draft) (proceed bool) {
	up := rollout.NewScaleUp(&v.Rollout) // by itself: what a block takes from a struct takes the view in it to the heap
	pass := replicaPass{v, dr, mk, &up, out}
	out.StartPhase()
	if !v.Parallel() {
		return out.InOrder(model.PhaseReplicas, len(v.Replicas), pass.replica)
	}
	proceed = out.InBatches(v.Rules.DeletesDespiteFailedCreates, model.PhaseReplicas, len(v.Replicas), pass.replica)
	if up.Held > 0 {
		out.Block(rollout.BlockScaleUpLimited(up, v.ScaleUpLimit, v.Asks(policy.ScaleUp)))
	}
	return proceed
}

// replica decides what one ordinal of the range needs.
func (pass *replicaPass) replica(step *model.Step, slot int) plan.Verdict {
	p, ordinal := pass.view.Replicas[slot], pass.view.Ordinal(slot)
	switch {
	case p == nil:
		return pass.createReplica(step, slot)
	case p.HasEnded():
		return pass.replaceEnded(step, p, slot)
	}
	pending := p.Phase == model.PodPending
	if pending {
		why := causePendingWithoutClaim(p.Name)
		if !claims.CreateMissing(&pass.view.Claims, pass.maker, step, ordinal, pass.view.RemovedAt(p.Revision), why) || !claims.FixClaimOwners(&pass.view.Claims, pass.out, step, ordinal, claims.RefTo(p)) {
			return plan.Fail
		}
	}
	if !pass.view.Parallel() && pass.holdsOrder(p) {
		return plan.Hold
	}
	return pass.restoreIdentity(step, p, ordinal, pending)
}

// createReplica plans the missing pod of an ordinal, and before it its claims.
func (pass *replicaPass) createReplica(step *model.Step, slot int) plan.Verdict {
	ordinal := pass.view.Ordinal(slot)
	name := pass.view.Set.PodName(ordinal)
	if pass.drain.ComesBackLater(ordinal) || !pass.view.canBeAt(slot, pass.out) || pass.view.Parallel() && !pass.up.MayCreate(name) {
		return plan.Hold
	}
	step.Actions = slices.Grow(step.Actions, 1+len(pass.view.Templates)) // the claims and the pod, in most cases
	without := pass.view.RemovedAt(pass.view.ComesBackAt(slot))
	if b := pass.view.StaleClaim(ordinal, without); b != nil {
		pass.out.TellOnce(*b)
		return plan.Hold
	}
	if !claims.CreateMissing(&pass.view.Claims, pass.maker, step, ordinal, without, causeClaimNeeded(name)) {
		return plan.Fail
	}
	if stranger := pass.view.taken[slot]; stranger != nil {
		pass.out.Block(state.BlockPodNameTaken(stranger, pass.view.WhoseIs(stranger), pass.view.EarlierSet(stranger), pass.view.IsOfNamesake(stranger)))
		return plan.Fail
	}
	if !pass.createPod(step, slot, name) {
		return plan.Fail
	}
	if !claims.FixClaimOwners(&pass.view.Claims, pass.out, step, ordinal, claims.PodRef{Name: name}) {
		return plan.Fail
	}
	if pass.view.Parallel() {
		return plan.GoOn
	}
	return plan.Hold
}

func (pass *replicaPass) createPod(step *model.Step, slot int, name string) bool {
	m, revision, ok := readyToMake(pass.view, pass.maker, pass.view.StaysCurrent(slot))
	if !ok {
		return false
	}
	ordinal := pass.view.Ordinal(slot)
	a := model.Action{Kind: model.KindPod, Name: name, MustNotExist: true, Op: model.CreatePod{}, Cause: causeOrdinalMissing(ordinal, revision)}
	if !pass.out.Fits(&a) {
		return false
	}
	a.Op = model.CreatePod{Manifest: m.With(ordinal)}
	if !pass.out.Emit(step, a, revision) {
		return false
	}
	pass.up.Left--
	if !pass.view.Parallel() {
		pass.out.Created = revision
	}
	return true
}

// replaceEnded plans the deletion of a pod that failed, was evicted or succeeded; a new one follows once it is gone. Success counts
// too: the exit code of a container that was stopped from outside proves nothing.
func (pass *replicaPass) replaceEnded(step *model.Step, p *model.Pod, slot int) plan.Verdict {
	if p.Terminating() {
		pass.out.Block(blockEndedTerminating(p))
		return plan.Hold
	}
	if pass.view.Rules.PacesReplacements && pass.endedEarly(p) {
		return plan.Hold
	}
	if !pass.view.canBeAt(slot, pass.out) || claims.StaysForClaims(&pass.view.Claims, pass.out, p, pass.view.Ordinal(slot), model.BlockPodEnded, endedIsReplaced) {
		return plan.Hold
	}
	why := causePodFailed
	if p.Phase == model.PodSucceeded {
		why = causePodSucceeded
	}
	if !pass.out.Emit(step, model.Action{Kind: model.KindPod, Name: p.Name, UID: p.UID, Op: model.DeletePod{}, Cause: why}) {
		return plan.Fail
	}
	return plan.Hold
}

// endedEarly reports whether a pod has ended that was just made, and adds a block if so. The next one may end the same way.
func (pass *replicaPass) endedEarly(p *model.Pod) bool {
	at := p.CreatedAt.Add(state.MinRepairAge)
	if !at.After(pass.view.Now) || p.CreatedAt.Sub(pass.view.Now) > state.MinRepairAge { // a clock that was set back makes nobody wait for long
		return false
	}
	pass.out.Replaces = true
	pass.out.LookAgainIn(at.Sub(pass.view.Now))
	pass.out.Block(blockEndedEarly(p, at))
	return true
}

// holdsOrder reports whether OrderedReady waits for a pod, and adds a block if so.
func (pass *replicaPass) holdsOrder(p *model.Pod) bool {
	b := pass.view.waitFor(p)
	if b == nil {
		return false
	}
	pass.out.Block(*b)
	return true
}

// restoreIdentity plans what restores a pod's identity and storage (UpdateStatefulPod upstream). claimsDone: the step has already
// handled the claims.
func (pass *replicaPass) restoreIdentity(step *model.Step, p *model.Pod, ordinal int32, claimsDone bool) plan.Verdict {
	canonical := pass.view.oddNames == 0 || model.CanonicalName(p.Name)
	storageOff := !pass.view.BoundToItsClaims(p, ordinal, canonical)
	if storageOff && !pass.view.Rules.NoFutileWrites && !claimsDone {
		why := causeClaimUnused(pass.view.Set.PodName(ordinal))
		if !claims.CreateMissing(&pass.view.Claims, pass.maker, step, ordinal, pass.view.RemovedAt(p.Revision), why) {
			return plan.Fail
		}
	}
	ref := claims.RefTo(p)
	if !canonical {
		ref.Name = pass.view.Set.PodName(ordinal) // upstream renames its copy before it looks at the claims
	}
	if !claimsDone && !claims.FixClaimOwners(&pass.view.Claims, pass.out, step, ordinal, ref) {
		return plan.Fail
	}
	if canonical && p.PodNameLabel && !storageOff {
		return plan.GoOn
	}
	return pass.patchIdentity(step, p, ordinal, canonical, storageOff)
}

// patchIdentity plans what can be fixed in a pod with wrong identity or storage.
func (pass *replicaPass) patchIdentity(step *model.Step, p *model.Pod, ordinal int32, canonical, storageOff bool) plan.Verdict {
	name := pass.view.Set.PodName(ordinal)
	if !canonical {
		pass.out.Block(blockOddName(p, ordinal, name))
		return plan.Fail
	}
	var labels []model.KeyValue
	if !p.PodNameLabel {
		labels = []model.KeyValue{{Key: model.LabelPodIndex, Value: fmt.Sprint(ordinal)}, {Key: model.LabelPodName, Value: name}}
	}
	if storageOff {
		pass.out.Block(blockWrongVolumes(p))
	}
	rebind := storageOff && !pass.view.Rules.NoFutileWrites && len(pass.view.Templates) > 0
	if len(labels) == 0 && !rebind {
		return plan.GoOn
	}
	a := model.Action{Kind: model.KindPod, Name: p.Name, UID: p.UID, ResourceVersion: p.ResourceVersion, Op: model.PatchPod{}, Cause: causeIdentity}
	if rebind {
		a.Cause = causeStorage
	}
	if !pass.out.Fits(&a) {
		return plan.Fail
	}
	patch := model.PatchPod{Labels: labels}
	if rebind {
		without := pass.view.RemovedAt(p.Revision)
		for i, t := range pass.view.Templates {
			if !without.Has(i) {
				patch.Claims = append(patch.Claims, model.ClaimBinding{Volume: t.Name, Claim: t.Name + "-" + name})
			}
		}
	}
	a.Op = patch
	if !pass.out.Emit(step, a) {
		return plan.Fail
	}
	return plan.GoOn
}
