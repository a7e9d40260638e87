package engine

import "github.com/setplan/setplan/engine/model"

// Under whenScaled Delete a claim outside the range refers to its pod, and the garbage collector deletes it with that pod. Where
// the set is scaled up again before the pod has gone, or whenScaled becomes Retain, the data is wanted again, and the reference is
// still there. So a claim that the retention table keeps is released from its pod before anything else, whatever the pod is doing and
// wherever the order stands; and no pod is deleted, for whatever cause, while the snapshot shows a claim that would go with it
// against the table. The same holds for a claim that refers to the set although whenDeleted has become Retain: whoever deletes the set
// then asks nobody.
//
// The deletion is left to a later plan, which sees that the claims are free, and not to a later stage of this one.

// releasePass is the walk over all ordinals that have claims to release.
type releasePass struct {
	view      *view
	out       *draft
	leftovers []leftover
	refused   int // ordinals with a release that failed the last time
}

// releaseWantedClaims plans the release of every claim that refers to the set, to the pod of its ordinal, or to an earlier one, and would go
// with it against the retention table. Releases that have failed before come last, in what is left of the phase: a claim that the API
// always refuses holds back its own pod, and no other one.
func releaseWantedClaims(v *view, out *draft) {
	goes := v.claims.ofPods || v.claims.ofEarlierSet || v.claims.ofSet && !v.deletesOnDelete
	if !v.rules.WantedClaimsStay || !goes || v.deleting() || v.paused == pauseAll {
		return
	}
	out.startPhase()
	pass := releasePass{view: v, out: out, leftovers: v.leftoversThatGo()}
	fresh := pass.steps(false)
	var again []model.Step
	if pass.refused > 0 {
		again = pass.steps(true)
	}
	// It starts slowly. What is refused is known for each claim, so as many as are known to be refused are tried at once beside them:
	// else each pass would find out about one, and the last claims would wait for as many passes.
	pass.stage(fresh, max(firstBatch, pass.refused))
	pass.stage(again, firstBatch)
}

// steps plans those releases that have failed before, or else the others.
func (pass *releasePass) steps(failed bool) (steps []model.Step) {
	v := pass.view
	add := func(refused bool, plan func(*model.Step)) {
		if refused && !failed {
			pass.refused++
		}
		if refused != failed {
			return
		}
		var step model.Step
		if plan(&step); len(step.Actions) > 0 {
			steps = append(steps, step)
		}
	}
	release := func(p podRef, ordinal int32) {
		p = v.ownPod(p)
		if !pass.out.full && v.mustRelease(p, ordinal) {
			add(pass.failedBefore(p, ordinal), func(step *model.Step) { fixClaimOwners(v, pass.out, step, ordinal, p) })
		}
	}
	for slot, p := range v.replicas {
		if v.endsAt(slot) {
			break
		}
		ordinal := v.ordinal(slot)
		if p != nil {
			release(podRef{p.Name, p.UID}, ordinal)
		} else if claims := v.claimsOf(ordinal); !claims.empty() {
			release(podRef{name: v.set.PodName(ordinal)}, ordinal)
		}
	}
	for _, m := range v.condemned {
		release(podRef{m.pod.Name, m.pod.UID}, m.ordinal)
	}
	for _, l := range pass.leftovers {
		if p := v.ownPod(podRef{name: v.set.PodName(l.ordinal)}); !pass.out.full {
			add(pass.refusedBefore(l.claim, p, true), func(step *model.Step) { fixOwners(v, pass.out, step, l.claim, p, true) })
		}
	}
	return steps
}

// failedBefore reports whether the release of one of an ordinal's claims failed the last time.
func (pass *releasePass) failedBefore(p podRef, ordinal int32) bool {
	v := pass.view
	if len(pass.out.failures()) == 0 {
		return false
	}
	inRange := v.wanted(ordinal)
	claims := v.claimsOf(ordinal)
	for i, c := claims.next(0); c != nil; i, c = claims.next(i + 1) {
		if pass.refusedBefore(c, p, inRange) {
			return true
		}
	}
	return false
}

func (pass *releasePass) refusedBefore(c *model.Claim, p podRef, inRange bool) bool {
	failed := pass.out.failures()
	if len(failed) == 0 {
		return false
	}
	v := pass.view
	is := v.ownershipOf(c, p)
	id := actionID(&model.Action{Name: c.Name, UID: c.UID, Op: model.SetClaimOwners{}}, []string{v.ownersFact(inRange, v.ownedByNobody(c, &is, inRange))})
	return failed[id] != nil
}

func (pass *releasePass) stage(steps []model.Step, size int) {
	for ; len(steps) > 0; size *= 2 {
		size = min(size, maxBatch, len(steps))
		pass.out.stage(model.Stage{Phase: model.PhaseOwnership, Steps: steps[:size], OnFailure: model.SkipPhase})
		steps = steps[size:]
	}
}

// mustRelease reports whether one of an ordinal's claims would be deleted with the set, its pod, or an earlier pod, although the retention
// table keeps it.
func (v *view) mustRelease(p podRef, ordinal int32) bool {
	return v.keptClaim(p, ordinal, func(is *ownership) bool { return is.pod || v.goesAgainstPolicy(is) })
}

// takesAlong reports whether the garbage collector would delete one of an ordinal's claims with its pod, although the retention table
// keeps it.
func (v *view) takesAlong(p *model.Pod, ordinal int32) bool {
	return v.claims.ofPods && v.keptClaim(podRef{p.Name, p.UID}, ordinal, func(is *ownership) bool { return is.pod })
}

// keptClaim reports whether an ordinal has a claim of some ownership that the table keeps. One that is being deleted cannot be kept.
func (v *view) keptClaim(p podRef, ordinal int32, of func(*ownership) bool) bool {
	if wanted := v.wanted(ordinal); v.wantedOwner(wanted).pod || !wanted && v.drains() {
		return false // outside the range a drain policy has its own rules: see drain_protect.go
	}
	claims := v.claimsOf(ordinal)
	for i, c := claims.next(0); c != nil; i, c = claims.next(i + 1) {
		if is := v.ownershipOf(c, p); c.DeletedAt.IsZero() && of(&is) {
			return true
		}
	}
	return false
}

// staysForClaims reports whether a pod that is to be deleted stays until no claim, and no data, would go with it, and adds the block that says so.
func staysForClaims(v *view, out *draft, p *model.Pod, ordinal int32, code model.BlockCode, why string) bool {
	if name := v.heldBy(p, ordinal); name != "" {
		out.block(blockHeld(p, code, why, name))
		return true
	}
	if !v.rules.WantedClaimsStay || !v.takesAlong(p, ordinal) {
		return false
	}
	out.block(blockStaysForClaims(p, code, why))
	return true
}
