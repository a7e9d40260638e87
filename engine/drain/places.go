package drain

import (
	"slices"

	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/state"
)

// drainPlace is an ordinal with something to drain, or with a replica to delete.
type drainPlace struct {
	ordinal  int32
	name     string               // of its pods
	inRange  bool                 // it is back
	claims   []claims.PlacedClaim // in the order of the claim templates
	replica  *model.Pod
	pod      *model.Pod     // the drain pod
	listed   []*model.Claim // of the claims, those that it drains
	stranger *model.Pod     // a pod with the name that is not the set's
}

// findClaims gives each place its claims. A claim creates a place if it is out of range, or a drain of it was attempted.
func (dr *Drain) findClaims() {
	each := func(f func(c *model.Claim, ordinal int32, template int)) {
		for i := range dr.view.Snap.Claims {
			if dr.view.EndsAt(i) {
				break
			}
			c := &dr.view.Snap.Claims[i]
			if ordinal, template, ok := dr.view.PlaceOf(c); ok && !dr.strange(c) {
				f(c, ordinal, template)
			}
		}
	}
	each(func(c *model.Claim, ordinal int32, _ int) {
		if _, inRange := dr.view.SlotOf(ordinal); !inRange || state.DrainSetOfClaim(c) == dr.Mark && state.DrainAttempts(c) > 0 {
			dr.placeAt(ordinal)
		}
	})
	each(func(c *model.Claim, ordinal int32, template int) {
		if p := dr.at[ordinal]; p != nil {
			p.claims = append(p.claims, claims.PlacedClaim{Template: template, Claim: c})
		}
	})
	for _, p := range dr.at {
		dr.view.SortPlaced(p.claims)
	}
}

// strange reports whether a claim without the set's mark is of a template that only revisions add, and no pod of its ordinal has it. A revision may say anything
// of templates, and the claim may be somebody else's.
func (dr *Drain) strange(c *model.Claim) bool {
	if !dr.view.Adds() || state.DrainSetOfClaim(c) == dr.Mark {
		return false
	}
	_, template, _ := dr.view.PlaceOf(c)
	return dr.view.Removals.Now.Has(template) && dr.view.Unheld(c)
}

func (dr *Drain) placeAt(ordinal int32) *drainPlace {
	p := dr.at[ordinal]
	if p == nil {
		p = &drainPlace{ordinal: ordinal, name: dr.view.Set.PodName(ordinal)}
		var slot int
		if slot, p.inRange = dr.view.SlotOf(ordinal); p.inRange {
			p.replica = dr.view.Replicas[slot]
		}
		dr.at[ordinal] = p
	}
	return p
}

// marked reports whether a claim has the set's mark and is not being deleted.
func (dr *Drain) marked(c *model.Claim) bool {
	return c != nil && c.DeletedAt.IsZero() && state.DrainSetOfClaim(c) == dr.Mark
}

// another reports whether a claim is marked for a set with another name: two sets may have the same claim names.
func (dr *Drain) another(c *model.Claim) bool {
	return c != nil && state.DrainSetOfClaim(c) != "" && !dr.view.OfSameName(state.DrainSetOfClaim(c))
}

// covers reports whether the policy covers an ordinal, and so every claim of it that is not another set's: it has a replica, one of its
// claims is marked, or the policy asks for leftovers.
func (dr *Drain) covers(p *drainPlace) bool {
	if p.replica != nil || dr.Leftovers {
		return true
	}
	for _, c := range p.claims {
		if dr.marked(c.Claim) {
			return true
		}
	}
	return false
}

// live lists the claims of a place that hold its data: covered, and not being deleted.
func (dr *Drain) live(p *drainPlace) []*model.Claim {
	if !dr.covers(p) {
		return nil
	}
	var live []*model.Claim
	for _, placed := range p.claims {
		if c := placed.Claim; c.DeletedAt.IsZero() && !dr.another(c) {
			live = append(live, c)
		}
	}
	return live
}

// drained reports whether nothing of an ordinal is left that the policy covers.
func (dr *Drain) drained(p *drainPlace) bool {
	return p.pod == nil && p.replica == nil && len(dr.live(p)) == 0
}

// begun reports whether a drain pod was created, or about to be created, for the existing data.
func (dr *Drain) begun(p *drainPlace) bool {
	return slices.ContainsFunc(p.claims, func(c claims.PlacedClaim) bool { return dr.marked(c.Claim) && state.DrainAttempts(c.Claim) > 0 })
}

// ComesBackLater reports whether an ordinal of the range gets no replica yet, because a drain has its name or its data. The drain adds a
// block.
func (dr *Drain) ComesBackLater(ordinal int32) bool {
	if dr == nil || dr.at[ordinal] == nil {
		return false
	}
	p := dr.at[ordinal]
	return p.pod != nil || dr.On && !dr.Cancel && p.replica == nil && dr.begun(p)
}

// explainLeftovers says which claims outside the range are not drained.
func (dr *Drain) explainLeftovers(p *drainPlace) {
	covered := dr.covers(p)
	for _, placed := range p.claims {
		c := placed.Claim
		if !c.DeletedAt.IsZero() || dr.marked(c) {
			continue
		}
		switch {
		case dr.another(c):
			dr.out.Block(blockLeftToAnother(c))
		case !covered:
			dr.out.Block(blockLeftover(c, dr.view.Templates[placed.Template].Name, p.ordinal))
		}
	}
}

// drainPods lists the set's drain pods, by name.
func (dr *Drain) drainPods() []*model.Pod {
	var pods []*model.Pod
	for _, p := range dr.view.Strangers {
		if dr.view.IsDrainPod(p) {
			pods = append(pods, p)
		}
	}
	plan.SortByName(dr.view.Caller, pods, func(p *model.Pod) string { return p.Name })
	return pods
}
