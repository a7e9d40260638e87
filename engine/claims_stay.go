package engine

// Under whenScaled Delete a claim outside the range refers to its pod, and the garbage collector deletes it with that pod. Where
// the set is scaled up again before the pod has gone, ordinal and data are wanted again, and the reference is still there. So a
// claim of the range is released from its pod before anything else, whatever the pod is doing and wherever the order stands; and
// no pod is deleted, for whatever cause, while a claim would go with it against the retention table.
//
// The deletion is left to a later plan, which sees that the claims are free, and not to a later stage of this one: so a release
// that the API refuses holds back its own pod and nothing else.

// releaseWantedClaims plans the release of every claim of the range that refers to the pod of its ordinal.
func releaseWantedClaims(v *view, out *draft) {
	if !v.rules.WantedClaimsStay || !v.claims.ofPods || v.deleting() {
		return
	}
	out.startPhase()
	stage := Stage{Phase: PhaseOwnership, OnFailure: SkipPhase}
	for slot, p := range v.replicas {
		v.meter.workAlong(partReplicas, 1, slot, len(v.replicas))
		if p != nil && !out.full && v.takesAlong(p, v.ordinal(slot)) {
			stage.plan(func(step *Step) { fixClaimOwners(v, out, step, v.ordinal(slot), podRef{p.Name, p.UID}) })
		}
	}
	out.stage(stage)
}

// takesAlong reports whether the garbage collector would delete one of an ordinal's claims with its pod, although the retention table
// keeps it. A claim that is being deleted cannot be kept.
func (v *view) takesAlong(p *Pod, ordinal int32) bool {
	if !v.claims.ofPods {
		return false
	}
	if _, inRange := v.slotOf(ordinal); v.wantedOwner(inRange).pod || !inRange && v.drains() {
		return false // outside the range a drain policy has its own rules: see drain_protect.go
	}
	ref := podRef{p.Name, p.UID}
	for i, c := v.nextClaim(ordinal, 0); c != nil; i, c = v.nextClaim(ordinal, i+1) {
		v.meter.work(partClaims, 1)
		if c.DeletedAt.IsZero() && v.ownershipOf(c, ref).pod {
			return true
		}
	}
	return false
}

// staysForClaims reports whether a pod that is to be deleted stays until no claim would go with it, and adds the block that says so.
func staysForClaims(v *view, out *draft, p *Pod, ordinal int32, code BlockCode, why string) bool {
	if !v.rules.WantedClaimsStay || !v.takesAlong(p, ordinal) {
		return false
	}
	out.block(blockStaysForClaims(p, code, why))
	return true
}
