package engine

import (
	"slices"

	"github.com/setplan/setplan/engine/model"
)

// The garbage collector deletes a claim with the set or the pod that owns it, drained or not. So under a drain policy a plan first removes
// such references, whatever the order of the pods, and whether or not the claim's ordinal has a pod. Until they are gone, a block says what
// must not be deleted, the set does not get its finalizer, and no pod that owns a claim is deleted.

// protected is what the drain knows about claims that would be deleted with an owner.
type protected struct {
	pods    map[string]bool  // the set's, by uid; not those of a namesake, whose policy is its own
	emptied map[string]int32 // by uid, the ordinal of the drain pod that has emptied a claim; of that ordinal it may be deleted
	doomed  []*model.Claim   // by name
}

// protectClaims finds the claims that would be deleted with the set or a pod against the policy, and plans their release.
func (dr *drain) protectClaims() {
	if dr == nil || dr.asked == nil || len(dr.asked.template) == 0 || dr.view.paused == pauseAll && !dr.view.deleting() ||
		dr.view.deleting() && dr.view.orphans() {
		return
	}
	dr.knowPods()
	for i := range dr.view.s.Claims {
		if dr.view.endsAt(i) {
			break
		}
		if c := &dr.view.s.Claims[i]; dr.goesWith(c) != nil && dr.view.ordinalOfClaim(c) != model.NoOrdinal {
			dr.doomed = append(dr.doomed, c)
		}
	}
	if len(dr.doomed) == 0 {
		return
	}
	sortByName(dr.view.caller, dr.doomed, func(c *model.Claim) string { return c.Name })
	dr.out.block(dr.unprotected())
	if dr.view.deleting() && !dr.stays() && (len(dr.view.set.Finalizers) == 0 || dr.view.set.WhenDeleted == "Delete") {
		return // too late, or meant so
	}
	dr.out.startPhase()
	ofSet := model.Stage{Phase: model.PhaseOwnership, OnFailure: model.SkipPhase, AlwaysRun: true}
	ofPods := model.Stage{Phase: model.PhaseOwnership, OnFailure: model.Stop} // otherwise an update could delete such a pod
	for _, c := range dr.doomed {
		stage := &ofSet
		if dr.goesWith(c).UID != dr.view.set.UID {
			stage = &ofPods
		}
		stage.Add(func(step *model.Step) { dr.release(step, c) })
		if stage == &ofPods && !dr.out.changed[c.Name] {
			dr.keepOwners(c.Owners)
		}
	}
	dr.out.stage(ofPods)
	dr.out.stage(ofSet)
}

// stays reports whether the finalizer keeps a set that is being deleted: until it is drained, or while an invalid policy holds
// everything. Once that policy is removed, it goes, and what it owns with it.
func (dr *drain) stays() bool { return dr.emptying || dr.held && dr.view.hasDrainFinalizer() }

// keepOwners keeps every pod that owns a claim which is not released yet.
func (dr *drain) keepOwners(owners []model.Owner) {
	if dr.out.keeps == nil {
		dr.out.keeps = map[string]bool{}
	}
	for i := range owners {
		if uid := owners[i].UID; dr.pods[uid] {
			dr.out.keeps[uid] = true
		}
	}
}

func (dr *drain) knowPods() {
	p := &dr.protected
	p.pods, p.emptied = make(map[string]bool, len(dr.view.s.Pods)), map[string]int32{}
	for i := range dr.view.s.Pods { // a claim is deleted with a released pod too
		if dr.view.endsAt(i) {
			break
		}
		if _, named := dr.view.ordinalOf(&dr.view.s.Pods[i]); named && !dr.view.isOfNamesake(&dr.view.s.Pods[i]) {
			p.pods[dr.view.s.Pods[i].UID] = true
		}
	}
	dr.knowDrained()
}

// knowDrained finds the claims that drain pods have emptied. Where two of them list a claim, the last one counts.
func (dr *drain) knowDrained() {
	pods := dr.drainPods()
	if len(pods) == 0 {
		return
	}
	if dr.view.ends() {
		return
	}
	there := make(map[string]bool, len(dr.view.s.Claims))
	for i := range dr.view.s.Claims {
		there[dr.view.s.Claims[i].UID] = true
	}
	emptied, read := dr.emptied, map[*model.Annotations]bool{}
	for i, pod := range slices.Backward(pods) {
		if dr.view.endsAt(i) {
			return
		}
		if pod.Terminating() || !dr.hasDrained(pod) || read[pod.Annotations] {
			continue // pods that share a list name the same claims
		}
		read[pod.Annotations] = true
		ordinal, _ := dr.view.ordinalOf(pod)
		eachUID(drainClaimsOf(pod), func(uid string) {
			if _, known := emptied[uid]; there[uid] && !known {
				emptied[uid] = ordinal
			}
		})
	}
}

// goesWith is the reference by which a claim would be deleted against the policy, or nil. A reference to something that is already gone is
// left to the garbage collector.
func (dr *drain) goesWith(c *model.Claim) *model.Owner {
	if !c.DeletedAt.IsZero() || len(c.Owners) == 0 {
		return nil
	}
	if ordinal, emptied := dr.emptied[c.UID]; emptied && ordinal == dr.view.ordinalOfClaim(c) {
		return nil
	}
	return dr.deletingOwner(c.Owners)
}

func (dr *drain) deletingOwner(owners []model.Owner) *model.Owner {
	for i := range owners {
		o := &owners[i]
		if o.UID == dr.view.set.UID && !dr.view.deletesOnDelete || o.Kind == model.KindPod && dr.pods[o.UID] {
			return o
		}
	}
	return nil
}

// wouldGo reports whether one of an ordinal's claims would be deleted with a pod.
func (dr *drain) wouldGo(p *drainPlace) bool {
	return slices.ContainsFunc(p.claims, func(placed placedClaim) bool {
		o := dr.goesWith(placed.claim)
		return o != nil && o.UID != dr.view.set.UID
	})
}

func (v *view) ordinalOfClaim(c *model.Claim) int32 {
	if ordinal, _, ok := v.placeOf(c); ok {
		return ordinal
	}
	return model.NoOrdinal
}

// release plans the removal of the references that a claim must not have, and whatever else the retention table wants.
func (dr *drain) release(step *model.Step, c *model.Claim) {
	if dr.putBack(dr.goesWith(c)) {
		return
	}
	a := model.Action{Kind: model.KindClaim, Name: c.Name, UID: c.UID, ResourceVersion: c.ResourceVersion, Op: model.SetClaimOwners{},
		Cause: causeProtect}
	if !dr.out.fits(&a) {
		return
	}
	ordinal, template, _ := dr.view.placeOf(c)
	freed := *c
	freed.Owners = slices.DeleteFunc(slices.Clone(c.Owners), func(o model.Owner) bool {
		return o.UID == dr.view.set.UID || dr.pods[o.UID]
	})
	pod := dr.view.ownPod(podRef{name: dr.view.set.PodName(ordinal)})
	_, inRange := dr.view.slotOf(ordinal)
	strange := dr.drainOnly || dr.view.deleting() || dr.view.ownershipOf(&freed, pod).strange || template >= dr.view.ownTemplates() // another controller applies the table itself; of an added template fixOwners does
	a.Op = model.SetClaimOwners{Owners: dr.view.wantedOwners(&freed, pod, inRange, strange)}
	if dr.out.emit(step, a, dr.view.ownersFact(inRange, strange)) {
		dr.out.noteChange(c)
	}
}

// putBack reports whether another controller runs the set and would restore the reference at once.
func (dr *drain) putBack(o *model.Owner) bool {
	if o.UID == dr.view.set.UID {
		return dr.drainOnly && dr.view.set.WhenDeleted == "Delete"
	}
	return dr.drainOnly && dr.view.set.WhenScaled == "Delete"
}

// unprotected says what must not be deleted yet.
func (dr *drain) unprotected() model.Block {
	first := dr.doomed[0]
	o := dr.goesWith(first)
	withSet, withPods := 0, 0
	for _, c := range dr.doomed {
		if dr.goesWith(c).UID == dr.view.set.UID {
			withSet++
		} else {
			withPods++
		}
	}
	return blockUnprotected(dr.view.set, first, o, withSet, withPods, dr.putBack(o))
}
