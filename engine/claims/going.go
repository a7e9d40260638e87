package claims

import (
	"slices"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/state"
)

// The garbage collector asks no retention policy. It deletes a claim with its last owner: with a set that still owns it when it is deleted, because
// whenDeleted has become Retain too late, or while all was paused or nobody acted; with a pod of that set; and with an object of somebody else's.
// What the policy keeps is released from a set that is being deleted as long as something holds the set, paused or not: this is the one write
// that such a set gets besides its status. It only takes away references with the uid of the set or its pod. What is not released, and
// what goes with others, a block says.

// goingClaim is a claim that the retention policy keeps, and that goes with an owner.
type goingClaim struct {
	PlacedClaim
	ordinal int32
	pod     string // uid of its pod; "": there is none
}

func (g goingClaim) compare(other goingClaim) int {
	if g.ordinal != other.ordinal {
		return int(g.ordinal) - int(other.ordinal)
	}
	return g.Template - other.Template
}

// keepsClaim reports whether the retention policy keeps a claim of an ordinal. A drain policy has its own rules outside the range.
func (v *Claims) keepsClaim(ordinal int32) bool {
	_, inRange := v.SlotOf(ordinal)
	return (v.Set.WhenDeleted != "Delete" || v.shared) && (inRange || !v.Drains() && !(v.deletesOnScale && v.isCondemned(ordinal)))
}

// keptClaims calls each for the claims that have owners and are kept by the retention policy, in no order.
func (v *Claims) keptClaims(each func(g goingClaim)) {
	if !v.Index.Owned {
		return
	}
	for i := range v.Snap.Claims {
		if v.EndsAt(i) {
			return
		}
		c := &v.Snap.Claims[i]
		if len(c.Owners) == 0 {
			continue
		}
		if ordinal, template, ok := v.PlaceOf(c); ok && v.keepsClaim(ordinal) {
			each(goingClaim{PlacedClaim{template, c}, ordinal, v.uidOfPod(ordinal)})
		}
	}
}

// uidOfPod is the uid of the set's pod of an ordinal.
func (v *Claims) uidOfPod(ordinal int32) string {
	if slot, inRange := v.SlotOf(ordinal); inRange {
		if p := v.Replicas[slot]; p != nil {
			return p.UID
		}
		return ""
	}
	if i, found := v.findCondemned(ordinal); found {
		return v.Condemned[i].Pod.UID
	}
	return ""
}

// GoingWithSet lists the kept claims that go with the set, or with its pods, when it is deleted; in order. Who deletes it so that what it owns
// stays loses none, and of a set that is drained the drain knows.
func (v *Claims) GoingWithSet() (list []goingClaim) {
	if v.Drains() || v.Deleting() && v.Orphans() {
		return nil
	}
	v.keptClaims(func(g goingClaim) {
		if is := v.OwnershipOf(g.Claim, PodRef{uid: g.pod}); is.Set || is.pod {
			list = append(list, g)
		}
	})
	plan.Sort(list, goingClaim.compare)
	return list
}

// FreeOfDeleted plans the release of the kept claims from a set that is being deleted, and says of which there is none.
func FreeOfDeleted(v *Claims, out *state.Draft) {
	if !v.Deleting() && v.Paused != state.PauseAll || v.Emptying() {
		return
	}
	list := v.GoingWithSet()
	if len(list) == 0 {
		return
	}
	if v.Deleting() && v.Rules.WantedClaimsStay && len(v.Set.Finalizers) > 0 {
		out.StartPhase()
		// What was refused the last time comes last: it keeps no other claim.
		pass := releasePass{view: v, out: out}
		failed := func(g goingClaim) bool {
			a := releaseOf(g.Claim)
			return out.Failed(&a, keptFact) != nil
		}
		for _, again := range [...]bool{false, true} {
			var steps []model.Step
			for _, g := range list {
				var step model.Step
				if g.Claim.DeletedAt.IsZero() && failed(g) == again && v.release(out, &step, g) {
					steps = append(steps, step)
				}
			}
			pass.stage(steps, plan.FirstBatch)
		}
	}
	list = slices.DeleteFunc(list, func(g goingClaim) bool { return out.Changed[g.Claim.Name] })
	if len(list) > 0 {
		out.Block(blockClaimGoesWithSet(v.Set, list[0].Claim, len(list)-1, v.Paused == state.PauseAll))
	}
}

const keptFact = "kept"

func releaseOf(c *model.Claim) model.Action {
	return model.Action{Kind: model.KindClaim, Name: c.Name, UID: c.UID, ResourceVersion: c.ResourceVersion, Op: model.SetClaimOwners{}, Cause: causeClaimKept}
}

// release takes the references to the set and to its pod from a claim, and adds none.
func (v *Claims) release(out *state.Draft, step *model.Step, g goingClaim) bool {
	c := g.Claim
	a := releaseOf(c)
	if !out.Fits(&a) {
		return false
	}
	a.Op = model.SetClaimOwners{Owners: slices.DeleteFunc(slices.Clone(c.Owners), func(o model.Owner) bool {
		return o.UID == v.Set.UID || g.pod != "" && o.UID == g.pod
	})}
	if out.Emit(step, a, keptFact) {
		out.NoteChange(c)
		return true
	}
	return false
}

// ExplainOtherOwners says which kept claims go with somebody else's object. What that object does with them is unknown, so they are left alone.
// Beside a namesake it is not known whose claims they are.
func ExplainOtherOwners(v *Claims, out *state.Draft) {
	if v.Namesake != nil {
		return
	}
	var first goingClaim
	var owner *model.Owner
	beside, more := 0, 0
	v.keptClaims(func(g goingClaim) {
		if !g.Claim.DeletedAt.IsZero() || out.Told(model.BlockClaimForeignController, g.Claim.Name) {
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
		out.Block(blockClaimGoesWithOther(first.Claim, owner, beside, more))
	}
}

// otherOwners returns the first owner of a claim that is neither the set or its pod nor an earlier one of their names, and how many there are beside it.
// Who makes pods says that a claim goes with a namesake.
func (v *Claims) otherOwners(g goingClaim) (first *model.Owner, beside int) {
	p := PodRef{v.Set.PodName(g.ordinal), g.pod}
	for i := range g.Claim.Owners {
		o := &g.Claim.Owners[i]
		if g.pod == "" && v.IsNamesake(o) {
			continue
		}
		if !v.RefersToSet(o) && !refersToPod(o, p) && o.UID != v.Set.UID && (g.pod == "" || o.UID != g.pod) {
			if first != nil {
				beside++
				continue
			}
			first = o
		}
	}
	return first, beside
}
