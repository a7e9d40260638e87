package claims

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/state"
)

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
	view      *Claims
	out       *state.Draft
	leftovers []leftover
	refused   int // ordinals with a release that failed the last time
}

// ReleaseWanted plans the release of every claim that refers to the set, to the pod of its ordinal, or to an earlier one, and would go
// with it against the retention table. Releases that have failed before come last, in what is left of the phase: a claim that the API
// always refuses holds back its own pod, and no other one.
func ReleaseWanted(v *Claims, out *state.Draft) {
	goes := v.Index.ofPods || v.Index.ofEarlierSet || v.Index.ofSet && !v.DeletesOnDelete
	if !v.Rules.WantedClaimsStay || !goes || v.Deleting() || v.Paused == state.PauseAll {
		return
	}
	out.StartPhase()
	pass := releasePass{view: v, out: out, leftovers: v.leftoversThatGo()}
	fresh := pass.steps(false)
	var again []model.Step
	if pass.refused > 0 {
		again = pass.steps(true)
	}
	// It starts slowly. What is refused is known for each claim, so as many as are known to be refused are tried at once beside them:
	// else each pass would find out about one, and the last claims would wait for as many passes.
	pass.stage(fresh, max(plan.FirstBatch, pass.refused))
	pass.stage(again, plan.FirstBatch)
}

// steps plans those releases that have failed before, or else the others.
func (pass *releasePass) steps(failed bool) (steps []model.Step) {
	v := pass.view
	add := func(refused bool, release func(*model.Step)) {
		if refused && !failed {
			pass.refused++
		}
		if refused != failed {
			return
		}
		var step model.Step
		if release(&step); len(step.Actions) > 0 {
			steps = append(steps, step)
		}
	}
	release := func(p PodRef, ordinal int32) {
		p = v.OwnPod(p)
		if !pass.out.Full() && v.mustRelease(p, ordinal) {
			add(pass.failedBefore(p, ordinal), func(step *model.Step) { FixClaimOwners(v, pass.out, step, ordinal, p) })
		}
	}
	for slot, p := range v.Replicas {
		if v.EndsAt(slot) {
			break
		}
		ordinal := v.Ordinal(slot)
		if p != nil {
			release(RefTo(p), ordinal)
		} else if claims := v.claimsOf(ordinal); !claims.empty() {
			release(PodRef{Name: v.Set.PodName(ordinal)}, ordinal)
		}
	}
	for _, m := range v.Condemned {
		release(PodRef{m.Pod.Name, m.Pod.UID}, m.Ordinal)
	}
	for _, l := range pass.leftovers {
		if p := v.OwnPod(PodRef{Name: v.Set.PodName(l.ordinal)}); !pass.out.Full() {
			add(pass.refusedBefore(l.claim, p, true), func(step *model.Step) { fixOwners(v, pass.out, step, l.claim, p, true) })
		}
	}
	return steps
}

// failedBefore reports whether the release of one of an ordinal's claims failed the last time.
func (pass *releasePass) failedBefore(p PodRef, ordinal int32) bool {
	v := pass.view
	if pass.out.NoneFailed() {
		return false
	}
	inRange := v.Wanted(ordinal)
	claims := v.claimsOf(ordinal)
	for i, c := claims.next(0); c != nil; i, c = claims.next(i + 1) {
		if pass.refusedBefore(c, p, inRange) {
			return true
		}
	}
	return false
}

func (pass *releasePass) refusedBefore(c *model.Claim, p PodRef, inRange bool) bool {
	v := pass.view
	is := v.OwnershipOf(c, p)
	return pass.out.Failed(&model.Action{Name: c.Name, UID: c.UID, Op: model.SetClaimOwners{}}, v.OwnersFact(inRange, v.ownedByNobody(c, &is, inRange))) != nil
}

func (pass *releasePass) stage(steps []model.Step, size int) {
	for ; len(steps) > 0; size *= 2 {
		size = min(size, plan.MaxBatch, len(steps))
		pass.out.Add(model.Stage{Phase: model.PhaseOwnership, Steps: steps[:size], OnFailure: model.SkipPhase})
		steps = steps[size:]
	}
}

// mustRelease reports whether one of an ordinal's claims would be deleted with the set, its pod, or an earlier pod, although the retention
// table keeps it.
func (v *Claims) mustRelease(p PodRef, ordinal int32) bool {
	return v.keptClaim(p, ordinal, func(is *ownership) bool { return is.pod || v.goesAgainstPolicy(is) })
}

// TakesAlong reports whether the garbage collector would delete one of an ordinal's claims with its pod, although the retention table
// keeps it.
func (v *Claims) TakesAlong(p *model.Pod, ordinal int32) bool {
	return v.Index.ofPods && v.keptClaim(RefTo(p), ordinal, func(is *ownership) bool { return is.pod })
}

// keptClaim reports whether an ordinal has a claim of some ownership that the table keeps. One that is being deleted cannot be kept.
func (v *Claims) keptClaim(p PodRef, ordinal int32, of func(*ownership) bool) bool {
	if wanted := v.Wanted(ordinal); v.wantedOwner(wanted).pod || !wanted && v.Drains() {
		return false // outside the range a drain policy has its own rules: see drain/protect.go
	}
	claims := v.claimsOf(ordinal)
	for i, c := claims.next(0); c != nil; i, c = claims.next(i + 1) {
		if is := v.OwnershipOf(c, p); c.DeletedAt.IsZero() && of(&is) {
			return true
		}
	}
	return false
}

// StaysForClaims reports whether a pod that is to be deleted stays until no claim, and no data, would go with it, and adds the block that says so.
func StaysForClaims(v *Claims, out *state.Draft, p *model.Pod, ordinal int32, code model.BlockCode, why string) bool {
	if name := v.HeldBy(p, ordinal); name != "" {
		out.Block(BlockHeld(p, code, why, name))
		return true
	}
	if !v.Rules.WantedClaimsStay || !v.TakesAlong(p, ordinal) {
		return false
	}
	out.Block(BlockStaysForClaims(p, code, why))
	return true
}
