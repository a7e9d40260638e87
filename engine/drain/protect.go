package drain

import (
	"slices"

	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/state"
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

// ProtectClaims finds the claims that would be deleted with the set or a pod against the policy, and plans their release.
func (dr *Drain) ProtectClaims() {
	if dr == nil || dr.Asked == nil || len(dr.Asked.Template) == 0 || dr.view.Paused == state.PauseAll && !dr.view.Deleting() ||
		dr.view.Deleting() && dr.view.Orphans() {
		return
	}
	dr.knowPods()
	for i := range dr.view.Snap.Claims {
		if dr.view.EndsAt(i) {
			break
		}
		if c := &dr.view.Snap.Claims[i]; dr.goesWith(c) != nil && dr.view.OrdinalOfClaim(c) != model.NoOrdinal {
			dr.doomed = append(dr.doomed, c)
		}
	}
	if len(dr.doomed) == 0 {
		return
	}
	plan.SortByName(dr.view.Caller, dr.doomed, func(c *model.Claim) string { return c.Name })
	dr.out.Block(dr.unprotected())
	if dr.view.Deleting() && !dr.stays() && (len(dr.view.Set.Finalizers) == 0 || dr.view.Set.WhenDeleted == "Delete") {
		return // too late, or meant so
	}
	dr.out.StartPhase()
	ofSet := model.Stage{Phase: model.PhaseOwnership, OnFailure: model.SkipPhase, AlwaysRun: true}
	ofPods := model.Stage{Phase: model.PhaseOwnership, OnFailure: model.Stop} // otherwise an update could delete such a pod
	for _, c := range dr.doomed {
		stage := &ofSet
		if dr.goesWith(c).UID != dr.view.Set.UID {
			stage = &ofPods
		}
		stage.Add(func(step *model.Step) { dr.release(step, c) })
		if stage == &ofPods && !dr.out.Changed[c.Name] {
			dr.keepOwners(c.Owners)
		}
	}
	dr.out.Add(ofPods)
	dr.out.Add(ofSet)
}

// stays reports whether the finalizer keeps a set that is being deleted: until it is drained, or while an invalid policy holds
// everything. Once that policy is removed, it goes, and what it owns with it.
func (dr *Drain) stays() bool { return dr.Emptying || dr.Held && dr.view.HasDrainFinalizer() }

// keepOwners keeps every pod that owns a claim which is not released yet.
func (dr *Drain) keepOwners(owners []model.Owner) {
	for i := range owners {
		if uid := owners[i].UID; dr.pods[uid] {
			dr.out.Keep(uid)
		}
	}
}

func (dr *Drain) knowPods() {
	p := &dr.protected
	p.pods, p.emptied = make(map[string]bool, len(dr.view.Snap.Pods)), map[string]int32{}
	for i := range dr.view.Snap.Pods { // a claim is deleted with a released pod too
		if dr.view.EndsAt(i) {
			break
		}
		if _, named := dr.view.OrdinalOf(&dr.view.Snap.Pods[i]); named && !dr.view.IsOfNamesake(&dr.view.Snap.Pods[i]) {
			p.pods[dr.view.Snap.Pods[i].UID] = true
		}
	}
	dr.knowDrained()
}

// knowDrained finds the claims that drain pods have emptied. Where two of them list a claim, the last one counts.
func (dr *Drain) knowDrained() {
	pods := dr.drainPods()
	if len(pods) == 0 {
		return
	}
	if dr.view.Ends() {
		return
	}
	there := make(map[string]bool, len(dr.view.Snap.Claims))
	for i := range dr.view.Snap.Claims {
		there[dr.view.Snap.Claims[i].UID] = true
	}
	emptied, read := dr.emptied, map[*model.Annotations]bool{}
	for i, pod := range slices.Backward(pods) {
		if dr.view.EndsAt(i) {
			return
		}
		if pod.Terminating() || !dr.hasDrained(pod) || read[pod.Annotations] {
			continue // pods that share a list name the same claims
		}
		read[pod.Annotations] = true
		ordinal, _ := dr.view.OrdinalOf(pod)
		eachUID(state.DrainClaimsOf(pod), func(uid string) {
			if _, known := emptied[uid]; there[uid] && !known {
				emptied[uid] = ordinal
			}
		})
	}
}

// goesWith is the reference by which a claim would be deleted against the policy, or nil. A reference to something that is already gone is
// left to the garbage collector.
func (dr *Drain) goesWith(c *model.Claim) *model.Owner {
	if !c.DeletedAt.IsZero() || len(c.Owners) == 0 {
		return nil
	}
	if ordinal, emptied := dr.emptied[c.UID]; emptied && ordinal == dr.view.OrdinalOfClaim(c) {
		return nil
	}
	return dr.deletingOwner(c.Owners)
}

func (dr *Drain) deletingOwner(owners []model.Owner) *model.Owner {
	for i := range owners {
		o := &owners[i]
		if o.UID == dr.view.Set.UID && !dr.view.DeletesOnDelete || o.Kind == model.KindPod && dr.pods[o.UID] {
			return o
		}
	}
	return nil
}

// wouldGo reports whether one of an ordinal's claims would be deleted with a pod.
func (dr *Drain) wouldGo(p *drainPlace) bool {
	return slices.ContainsFunc(p.claims, func(placed claims.PlacedClaim) bool {
		o := dr.goesWith(placed.Claim)
		return o != nil && o.UID != dr.view.Set.UID
	})
}

// release plans the removal of the references that a claim must not have, and whatever else the retention table wants.
func (dr *Drain) release(step *model.Step, c *model.Claim) {
	if dr.putBack(dr.goesWith(c)) {
		return
	}
	a := model.Action{Kind: model.KindClaim, Name: c.Name, UID: c.UID, ResourceVersion: c.ResourceVersion, Op: model.SetClaimOwners{},
		Cause: causeProtect}
	if !dr.out.Fits(&a) {
		return
	}
	ordinal, template, _ := dr.view.PlaceOf(c)
	freed := *c
	freed.Owners = slices.DeleteFunc(slices.Clone(c.Owners), func(o model.Owner) bool {
		return o.UID == dr.view.Set.UID || dr.pods[o.UID]
	})
	pod := dr.view.OwnPod(claims.PodRef{Name: dr.view.Set.PodName(ordinal)})
	_, inRange := dr.view.SlotOf(ordinal)
	strange := dr.DrainOnly || dr.view.Deleting() || dr.view.OwnershipOf(&freed, pod).Strange || template >= dr.view.OwnTemplates() // another controller applies the table itself; of an added template fixOwners does
	a.Op = model.SetClaimOwners{Owners: dr.view.WantedOwners(&freed, pod, inRange, strange)}
	if dr.out.Emit(step, a, dr.view.OwnersFact(inRange, strange)) {
		dr.out.NoteChange(c)
	}
}

// putBack reports whether another controller runs the set and would restore the reference at once.
func (dr *Drain) putBack(o *model.Owner) bool {
	if o.UID == dr.view.Set.UID {
		return dr.DrainOnly && dr.view.Set.WhenDeleted == "Delete"
	}
	return dr.DrainOnly && dr.view.Set.WhenScaled == "Delete"
}

// unprotected says what must not be deleted yet.
func (dr *Drain) unprotected() model.Block {
	first := dr.doomed[0]
	o := dr.goesWith(first)
	withSet, withPods := 0, 0
	for _, c := range dr.doomed {
		if dr.goesWith(c).UID == dr.view.Set.UID {
			withSet++
		} else {
			withPods++
		}
	}
	return blockUnprotected(dr.view.Set, first, o, withSet, withPods, dr.putBack(o))
}
