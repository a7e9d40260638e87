package engine

import (
	"fmt"
	"slices"

	"github.com/setplan/setplan/engine/model"
)

// replicaPass is the walk over the range.
type replicaPass struct {
	view  *view
	drain *drain
	maker *maker
	up    *scaleUp // of a Parallel set
	out   *draft
}

// bringUpReplicas walks the range upwards (processReplica upstream). It returns false if later passes must wait.
func bringUpReplicas(v *view, dr *drain, mk *maker, out *draft) (proceed bool) {
	up := newScaleUp(v) // by itself: what a block takes from a struct takes the view in it to the heap
	pass := replicaPass{v, dr, mk, &up, out}
	out.startPhase()
	if !v.parallel() {
		return inOrder(out, model.PhaseReplicas, len(v.replicas), pass.replica)
	}
	proceed = inBatches(v, out, model.PhaseReplicas, len(v.replicas), pass.replica)
	if up.held > 0 {
		out.block(blockScaleUpLimited(up, v.scaleUpLimit, v.asks(annotationScaleUp)))
	}
	return proceed
}

// replica decides what one ordinal of the range needs.
func (pass *replicaPass) replica(step *model.Step, slot int) verdict {
	p, ordinal := pass.view.replicas[slot], pass.view.ordinal(slot)
	switch {
	case p == nil:
		return pass.createReplica(step, slot)
	case p.HasEnded():
		return pass.replaceEnded(step, p, slot)
	}
	pending := p.Phase == model.PodPending
	if pending {
		why := causePendingWithoutClaim(p.Name)
		if !pass.maker.createMissingClaims(step, ordinal, pass.view.removedAt(p.Revision), why) || !fixClaimOwners(pass.view, pass.out, step, ordinal, podRef{p.Name, p.UID}) {
			return fail
		}
	}
	if !pass.view.parallel() && pass.holdsOrder(p) {
		return hold
	}
	return pass.restoreIdentity(step, p, ordinal, pending)
}

// createReplica plans the missing pod of an ordinal, and before it its claims.
func (pass *replicaPass) createReplica(step *model.Step, slot int) verdict {
	ordinal := pass.view.ordinal(slot)
	name := pass.view.set.PodName(ordinal)
	if pass.drain.comesBackLater(ordinal) || !pass.view.canBeAt(slot, pass.out) || pass.view.parallel() && !pass.up.mayCreate(name) {
		return hold
	}
	step.Actions = slices.Grow(step.Actions, 1+len(pass.view.templates)) // the claims and the pod, in most cases
	without := pass.view.removedAt(pass.view.comesBackAt(slot))
	if b := pass.view.staleClaim(ordinal, without); b != nil {
		pass.out.tellOnce(*b)
		return hold
	}
	if !pass.maker.createMissingClaims(step, ordinal, without, causeClaimNeeded(name)) {
		return fail
	}
	if stranger := pass.view.taken[slot]; stranger != nil {
		pass.out.block(blockPodNameTaken(stranger, pass.view.whoseIs(stranger), pass.view.earlierSet(stranger), pass.view.isOfNamesake(stranger)))
		return fail
	}
	if !pass.createPod(step, slot, name) {
		return fail
	}
	if !fixClaimOwners(pass.view, pass.out, step, ordinal, podRef{name: name}) {
		return fail
	}
	if pass.view.parallel() {
		return goOn
	}
	return hold
}

func (pass *replicaPass) createPod(step *model.Step, slot int, name string) bool {
	m, revision, ok := pass.maker.readyToMake(pass.view.staysCurrent(slot))
	if !ok {
		return false
	}
	ordinal := pass.view.ordinal(slot)
	a := model.Action{Kind: model.KindPod, Name: name, MustNotExist: true, Op: model.CreatePod{}, Cause: causeOrdinalMissing(ordinal, revision)}
	if !pass.out.fits(&a) {
		return false
	}
	a.Op = model.CreatePod{Manifest: m.with(ordinal)}
	if !pass.out.emit(step, a, revision) {
		return false
	}
	pass.up.left--
	if !pass.view.parallel() {
		pass.out.created = revision
	}
	return true
}

// replaceEnded plans the deletion of a pod that failed, was evicted or succeeded; a new one follows once it is gone. Success counts
// too: the exit code of a container that was stopped from outside proves nothing.
func (pass *replicaPass) replaceEnded(step *model.Step, p *model.Pod, slot int) verdict {
	if p.Terminating() {
		pass.out.block(blockEndedTerminating(p))
		return hold
	}
	if !pass.view.canBeAt(slot, pass.out) || staysForClaims(pass.view, pass.out, p, pass.view.ordinal(slot), model.BlockPodEnded, endedIsReplaced) {
		return hold
	}
	why := causePodFailed
	if p.Phase == model.PodSucceeded {
		why = causePodSucceeded
	}
	if !pass.out.emit(step, model.Action{Kind: model.KindPod, Name: p.Name, UID: p.UID, Op: model.DeletePod{}, Cause: why}) {
		return fail
	}
	return hold
}

// holdsOrder reports whether OrderedReady waits for a pod, and adds a block if so.
func (pass *replicaPass) holdsOrder(p *model.Pod) bool {
	b := pass.view.waitFor(p)
	if b == nil {
		return false
	}
	pass.out.block(*b)
	return true
}

// restoreIdentity plans what restores a pod's identity and storage (UpdateStatefulPod upstream). claimsDone: the step has already
// handled the claims.
func (pass *replicaPass) restoreIdentity(step *model.Step, p *model.Pod, ordinal int32, claimsDone bool) verdict {
	canonical := pass.view.oddNames == 0 || model.CanonicalName(p.Name)
	storageOff := !pass.view.boundToItsClaims(p, ordinal, canonical)
	if storageOff && !pass.view.rules.NoFutileWrites && !claimsDone {
		why := causeClaimUnused(pass.view.set.PodName(ordinal))
		if !pass.maker.createMissingClaims(step, ordinal, pass.view.removedAt(p.Revision), why) {
			return fail
		}
	}
	ref := podRef{p.Name, p.UID}
	if !canonical {
		ref.name = pass.view.set.PodName(ordinal) // upstream renames its copy before it looks at the claims
	}
	if !claimsDone && !fixClaimOwners(pass.view, pass.out, step, ordinal, ref) {
		return fail
	}
	if canonical && p.PodNameLabel && !storageOff {
		return goOn
	}
	return pass.patchIdentity(step, p, ordinal, canonical, storageOff)
}

// patchIdentity plans what can be fixed in a pod with wrong identity or storage.
func (pass *replicaPass) patchIdentity(step *model.Step, p *model.Pod, ordinal int32, canonical, storageOff bool) verdict {
	name := pass.view.set.PodName(ordinal)
	if !canonical {
		pass.out.block(blockOddName(p, ordinal, name))
		return fail
	}
	var labels []model.KeyValue
	if !p.PodNameLabel {
		labels = []model.KeyValue{{Key: model.LabelPodIndex, Value: fmt.Sprint(ordinal)}, {Key: model.LabelPodName, Value: name}}
	}
	if storageOff {
		pass.out.block(blockWrongVolumes(p))
	}
	rebind := storageOff && !pass.view.rules.NoFutileWrites && len(pass.view.templates) > 0
	if len(labels) == 0 && !rebind {
		return goOn
	}
	a := model.Action{Kind: model.KindPod, Name: p.Name, UID: p.UID, ResourceVersion: p.ResourceVersion, Op: model.PatchPod{}, Cause: causeIdentity}
	if rebind {
		a.Cause = causeStorage
	}
	if !pass.out.fits(&a) {
		return fail
	}
	patch := model.PatchPod{Labels: labels}
	if rebind {
		without := pass.view.removedAt(p.Revision)
		for i, t := range pass.view.templates {
			if !without.has(i) {
				patch.Claims = append(patch.Claims, model.ClaimBinding{Volume: t.name, Claim: t.name + "-" + name})
			}
		}
	}
	a.Op = patch
	if !pass.out.emit(step, a) {
		return fail
	}
	return goOn
}
