package engine

import (
	"slices"

	"github.com/setplan/setplan/engine/model"
)

// drainPlace is an ordinal with something to drain, or with a replica to delete.
type drainPlace struct {
	ordinal  int32
	name     string        // of its pods
	inRange  bool          // it is back
	claims   []placedClaim // in the order of the claim templates
	replica  *model.Pod
	pod      *model.Pod     // the drain pod
	listed   []*model.Claim // of the claims, those that it drains
	stranger *model.Pod     // a pod with the name that is not the set's
}

// findClaims gives each place its claims. A claim creates a place if it is out of range, or a drain of it was attempted.
func (dr *drain) findClaims() {
	each := func(f func(c *model.Claim, ordinal int32, template int)) {
		for i := range dr.view.s.Claims {
			if dr.view.endsAt(i) {
				break
			}
			c := &dr.view.s.Claims[i]
			if ordinal, template, ok := dr.view.placeOf(c); ok && !dr.strange(c) {
				f(c, ordinal, template)
			}
		}
	}
	each(func(c *model.Claim, ordinal int32, _ int) {
		if _, inRange := dr.view.slotOf(ordinal); !inRange || drainSetOfClaim(c) == dr.mark && drainAttempts(c) > 0 {
			dr.placeAt(ordinal)
		}
	})
	each(func(c *model.Claim, ordinal int32, template int) {
		if p := dr.at[ordinal]; p != nil {
			p.claims = append(p.claims, placedClaim{template, c})
		}
	})
	for _, p := range dr.at {
		dr.view.sortPlaced(p.claims)
	}
}

// strange reports whether a claim without the set's mark is of a template that only revisions add, and no pod of its ordinal has it. A revision may say anything
// of templates, and the claim may be somebody else's.
func (dr *drain) strange(c *model.Claim) bool {
	if !dr.view.adds() || drainSetOfClaim(c) == dr.mark {
		return false
	}
	_, template, _ := dr.view.placeOf(c)
	return dr.view.removals.now.has(template) && dr.view.unheld(c)
}

func (dr *drain) placeAt(ordinal int32) *drainPlace {
	p := dr.at[ordinal]
	if p == nil {
		p = &drainPlace{ordinal: ordinal, name: dr.view.set.PodName(ordinal)}
		var slot int
		if slot, p.inRange = dr.view.slotOf(ordinal); p.inRange {
			p.replica = dr.view.replicas[slot]
		}
		dr.at[ordinal] = p
	}
	return p
}

// marked reports whether a claim has the set's mark and is not being deleted.
func (dr *drain) marked(c *model.Claim) bool {
	return c != nil && c.DeletedAt.IsZero() && drainSetOfClaim(c) == dr.mark
}

// another reports whether a claim is marked for a set with another name: two sets may have the same claim names.
func (dr *drain) another(c *model.Claim) bool {
	return c != nil && drainSetOfClaim(c) != "" && !dr.view.ofSameName(drainSetOfClaim(c))
}

// covers reports whether the policy covers an ordinal, and so every claim of it that is not another set's: it has a replica, one of its
// claims is marked, or the policy asks for leftovers.
func (dr *drain) covers(p *drainPlace) bool {
	if p.replica != nil || dr.leftovers {
		return true
	}
	for _, c := range p.claims {
		if dr.marked(c.claim) {
			return true
		}
	}
	return false
}

// live lists the claims of a place that hold its data: covered, and not being deleted.
func (dr *drain) live(p *drainPlace) []*model.Claim {
	if !dr.covers(p) {
		return nil
	}
	var live []*model.Claim
	for _, placed := range p.claims {
		if c := placed.claim; c.DeletedAt.IsZero() && !dr.another(c) {
			live = append(live, c)
		}
	}
	return live
}

// drained reports whether nothing of an ordinal is left that the policy covers.
func (dr *drain) drained(p *drainPlace) bool {
	return p.pod == nil && p.replica == nil && len(dr.live(p)) == 0
}

// begun reports whether a drain pod was created, or about to be created, for the existing data.
func (dr *drain) begun(p *drainPlace) bool {
	return slices.ContainsFunc(p.claims, func(c placedClaim) bool { return dr.marked(c.claim) && drainAttempts(c.claim) > 0 })
}

// comesBackLater reports whether an ordinal of the range gets no replica yet, because a drain has its name or its data. The drain adds a
// block.
func (dr *drain) comesBackLater(ordinal int32) bool {
	if dr == nil || dr.at[ordinal] == nil {
		return false
	}
	p := dr.at[ordinal]
	return p.pod != nil || dr.on && !dr.cancel && p.replica == nil && dr.begun(p)
}

// explainLeftovers says which claims outside the range are not drained.
func (dr *drain) explainLeftovers(p *drainPlace) {
	covered := dr.covers(p)
	for _, placed := range p.claims {
		c := placed.claim
		if !c.DeletedAt.IsZero() || dr.marked(c) {
			continue
		}
		switch {
		case dr.another(c):
			dr.out.block(blockLeftToAnother(c))
		case !covered:
			dr.out.block(blockLeftover(c, dr.view.templates[placed.template].name, p.ordinal))
		}
	}
}

// drainPods lists the set's drain pods, by name.
func (dr *drain) drainPods() []*model.Pod {
	var pods []*model.Pod
	for _, p := range dr.view.strangers {
		if dr.view.isDrainPod(p) {
			pods = append(pods, p)
		}
	}
	sortByName(dr.view.caller, pods, func(p *model.Pod) string { return p.Name })
	return pods
}
