package engine

// Under whenScaled Delete a claim outside the range refers to its pod, and the garbage collector deletes it with that pod. Where
// the set is scaled up again before the pod has gone, or whenScaled becomes Retain, the data is wanted again, and the reference is
// still there. So a claim that the retention table keeps is released from its pod before anything else, whatever the pod is doing and
// wherever the order stands; and no pod is deleted, for whatever cause, while the snapshot shows a claim that would go with it
// against the table.
//
// The deletion is left to a later plan, which sees that the claims are free, and not to a later stage of this one.

// releaseWantedClaims plans the release of every claim that refers to the pod of its ordinal and would go with it against the
// retention table. It starts slowly. Releases that have failed before come last: a claim that the API always refuses holds back its
// own pod, and no other one.
func releaseWantedClaims(v *view, out *draft) {
	if !v.rules.WantedClaimsStay || !v.claims.ofPods || v.deleting() {
		return
	}
	out.startPhase()
	var fresh, again []Step
	release := func(p *Pod, ordinal int32) {
		if p == nil || out.full || !v.takesAlong(p, ordinal) {
			return
		}
		var step Step
		fixClaimOwners(v, out, &step, ordinal, podRef{p.Name, p.UID})
		switch {
		case len(step.Actions) == 0:
		case out.failedBefore(&step):
			again = append(again, step)
		default:
			fresh = append(fresh, step)
		}
	}
	for slot, p := range v.replicas {
		v.meter.workAlong(partReplicas, 1, slot, len(v.replicas))
		release(p, v.ordinal(slot))
	}
	for i, m := range v.condemned {
		v.meter.workAlong(partPods, 1, i, len(v.condemned))
		release(m.pod, m.ordinal)
	}
	steps := append(fresh, again...)
	for size := firstBatch; len(steps) > 0; size = min(2*size, maxBatch) {
		size = min(size, len(steps))
		out.stage(Stage{Phase: PhaseOwnership, Steps: steps[:size], OnFailure: SkipPhase})
		steps = steps[size:]
	}
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
