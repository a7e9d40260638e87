package engine

import (
	"slices"

	"github.com/setplan/setplan/engine/model"
)

// The garbage collector asks no retention policy. It deletes a claim with its last owner: with a set that still owns it when it is deleted, because
// whenDeleted has become Retain too late, or while all was paused or nobody acted; with a pod of that set; and with an object of somebody else's.
// What the policy keeps is released from a set that is being deleted as long as something holds the set, paused or not: this is the one write
// that such a set gets besides its status. It only takes away references with the uid of the set or its pod. What is not released, and
// what goes with others, a block says.

// goingClaim is a claim that the retention policy keeps, and that goes with an owner.
type goingClaim struct {
	placedClaim
	ordinal int32
	pod     string // uid of its pod; "": there is none
}

func (g goingClaim) compare(other goingClaim) int {
	if g.ordinal != other.ordinal {
		return int(g.ordinal) - int(other.ordinal)
	}
	return g.template - other.template
}

// keepsClaim reports whether the retention policy keeps a claim of an ordinal. A drain policy has its own rules outside the range.
func (v *view) keepsClaim(ordinal int32) bool {
	_, inRange := v.slotOf(ordinal)
	return (v.set.WhenDeleted != "Delete" || v.shared) && (inRange || !v.drains() && !(v.deletesOnScale && v.isCondemned(ordinal)))
}

// keptClaims calls each for the claims that have owners and are kept by the retention policy, in no order.
func (v *view) keptClaims(each func(g goingClaim)) {
	if !v.claims.owned {
		return
	}
	for i := range v.s.Claims {
		if v.endsAt(i) {
			return
		}
		c := &v.s.Claims[i]
		if len(c.Owners) == 0 {
			continue
		}
		if ordinal, template, ok := v.placeOf(c); ok && v.keepsClaim(ordinal) {
			each(goingClaim{placedClaim{template, c}, ordinal, v.uidOfPod(ordinal)})
		}
	}
}

// uidOfPod is the uid of the set's pod of an ordinal.
func (v *view) uidOfPod(ordinal int32) string {
	if slot, inRange := v.slotOf(ordinal); inRange {
		if p := v.replicas[slot]; p != nil {
			return p.UID
		}
		return ""
	}
	if i, found := v.findCondemned(ordinal); found {
		return v.condemned[i].pod.UID
	}
	return ""
}

// goingWithSet lists the kept claims that go with the set, or with its pods, when it is deleted; in order. Who deletes it so that what it owns
// stays loses none, and of a set that is drained the drain knows.
func (v *view) goingWithSet() (list []goingClaim) {
	if v.drains() || v.deleting() && v.orphans() {
		return nil
	}
	v.keptClaims(func(g goingClaim) {
		if is := v.ownershipOf(g.claim, podRef{uid: g.pod}); is.set || is.pod {
			list = append(list, g)
		}
	})
	sortList(list, goingClaim.compare)
	return list
}

// freeClaimsOfDeleted plans the release of the kept claims from a set that is being deleted, and says of which there is none.
func freeClaimsOfDeleted(v *view, out *draft) {
	if !v.deleting() && v.paused != pauseAll || v.emptying() {
		return
	}
	list := v.goingWithSet()
	if len(list) == 0 {
		return
	}
	if v.deleting() && v.rules.WantedClaimsStay && len(v.set.Finalizers) > 0 {
		out.startPhase()
		// What was refused the last time comes last: it keeps no other claim.
		pass := releasePass{view: v, out: out}
		failed := func(g goingClaim) bool {
			a := releaseOf(g.claim)
			return out.failures()[actionID(&a, []string{keptFact})] != nil
		}
		for _, again := range [...]bool{false, true} {
			var steps []model.Step
			for _, g := range list {
				var step model.Step
				if g.claim.DeletedAt.IsZero() && failed(g) == again && v.release(out, &step, g) {
					steps = append(steps, step)
				}
			}
			pass.stage(steps, firstBatch)
		}
	}
	list = slices.DeleteFunc(list, func(g goingClaim) bool { return out.changed[g.claim.Name] })
	if len(list) > 0 {
		out.block(blockClaimGoesWithSet(v.set, list[0].claim, len(list)-1, v.paused == pauseAll))
	}
}

const keptFact = "kept"

func releaseOf(c *model.Claim) model.Action {
	return model.Action{Kind: model.KindClaim, Name: c.Name, UID: c.UID, ResourceVersion: c.ResourceVersion, Op: model.SetClaimOwners{}, Cause: causeClaimKept}
}

// release takes the references to the set and to its pod from a claim, and adds none.
func (v *view) release(out *draft, step *model.Step, g goingClaim) bool {
	c := g.claim
	a := releaseOf(c)
	if !out.fits(&a) {
		return false
	}
	a.Op = model.SetClaimOwners{Owners: slices.DeleteFunc(slices.Clone(c.Owners), func(o model.Owner) bool {
		return o.UID == v.set.UID || g.pod != "" && o.UID == g.pod
	})}
	if out.emit(step, a, keptFact) {
		out.noteChange(c)
		return true
	}
	return false
}

// explainOtherOwners says which kept claims go with somebody else's object. What that object does with them is unknown, so they are left alone.
// Beside a namesake it is not known whose claims they are.
func explainOtherOwners(v *view, out *draft) {
	if v.namesake != nil {
		return
	}
	var first goingClaim
	var owner *model.Owner
	beside, more := 0, 0
	v.keptClaims(func(g goingClaim) {
		if !g.claim.DeletedAt.IsZero() || out.told[blockOf{model.BlockClaimForeignController, g.claim.Name}] {
			return
		}
		o, others := v.otherOwners(g)
		switch {
		case o == nil:
			return
		case owner != nil:
			more++
		}
		if owner == nil || g.compare(first) < 0 {
			first, owner, beside = g, o, others
		}
	})
	if owner != nil {
		out.block(blockClaimGoesWithOther(first.claim, owner, beside, more))
	}
}

// otherOwners returns the first owner of a claim that is neither the set or its pod nor an earlier one of their names, and how many there are beside it.
// Who makes pods says that a claim goes with a namesake.
func (v *view) otherOwners(g goingClaim) (first *model.Owner, beside int) {
	p := podRef{v.set.PodName(g.ordinal), g.pod}
	for i := range g.claim.Owners {
		o := &g.claim.Owners[i]
		if g.pod == "" && v.isNamesake(o) {
			continue
		}
		if !v.refersToSet(o) && !refersToPod(o, p) && o.UID != v.set.UID && (g.pod == "" || o.UID != g.pod) {
			if first != nil {
				beside++
				continue
			}
			first = o
		}
	}
	return first, beside
}
