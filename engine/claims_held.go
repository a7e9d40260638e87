package engine

import "github.com/setplan/setplan/engine/model"

// A claim that somebody has deleted stays as long as a pod runs on it, and its data with it. The replacement of a pod whose claim is lost or missing
// cannot start, or starts without the data. And a claim that goes with an earlier set of the name is about to be deleted. So under WantedClaimsStay no
// pod that runs on such a claim is deleted, for whatever cause: a block says what is the matter, and when the pod goes is left to people.

// danger is what makes a claim, or its data, go with its pod.
type danger uint8

const (
	dangerGoing danger = iota
	dangerEarlierSet
	dangerLost
	dangerMissing
)

// eachInDanger calls each for the claims of a pod that are in danger, until it returns false. Where the retention policy or the drain deletes the
// claims with the pod, none is.
func (v *view) eachInDanger(p *model.Pod, ordinal int32, each func(template int, c *model.Claim, of danger) bool) {
	none := !v.claims.ofEarlierSet && !v.claims.broken && v.claims.inRange == len(v.replicas)*len(v.templates)
	if none || !v.rules.WantedClaimsStay || v.deleting() {
		return
	}
	wanted := v.wanted(ordinal)
	if v.wantedOwner(wanted).pod || !wanted && v.drains() {
		return
	}
	claims, without, usual := v.claimsOf(ordinal), v.removedAt(p.Revision), v.boundAsUsual(p, model.CanonicalName(p.Name))
	next, c := claims.next(0)
	for i := range v.templates {
		var at *model.Claim
		if i == next {
			at = c
			next, c = claims.next(i + 1)
		}
		if of, in := v.dangerOf(at, p, wanted); in && !without.has(i) && (usual[i] || v.binds(p, i, ordinal)) && !each(i, at, of) {
			return
		}
	}
}

func (v *view) dangerOf(c *model.Claim, p *model.Pod, wanted bool) (of danger, in bool) {
	switch {
	case c == nil:
		// For one that is pending it is created, and beside one that has just been made the list of claims may be behind.
		return dangerMissing, wanted && p.Phase != model.PodPending && !p.CreatedAt.Add(moment).After(v.now)
	case !c.DeletedAt.IsZero():
		return dangerGoing, true
	case c.Phase == model.ClaimLost:
		return dangerLost, wanted && p.Phase != model.PodPending
	case !v.claims.ofEarlierSet:
		return 0, false
	}
	is := v.ownershipOf(c, v.ownPod(podRef{p.Name, p.UID}))
	return dangerEarlierSet, is.ofEarlierSet()
}

// heldBy is the name of a claim for which a pod is not deleted; "": there is none.
func (v *view) heldBy(p *model.Pod, ordinal int32) (held string) {
	if p.HoldsClaims() {
		v.eachInDanger(p, ordinal, func(template int, _ *model.Claim, _ danger) bool {
			held = v.claimName(template, ordinal)
			return false
		})
	}
	return held
}

// explainDanger adds a block for each claim in danger. One that this plan releases from an earlier set needs none.
func explainDanger(v *view, out *draft) {
	pods := 0
	explain := func(p *model.Pod, ordinal int32) {
		if pods++; p.Terminating() || out.endsAt(pods) {
			return
		}
		v.eachInDanger(p, ordinal, func(template int, c *model.Claim, of danger) bool {
			switch code := of.code(); {
			case !p.HoldsClaims() && (of != dangerGoing || !p.HasEnded()), c != nil && out.changed[c.Name]:
			case out.enough(code):
				out.omit(code, 1)
			default:
				out.tellOnce(blockClaimInDanger(v.claimName(template, ordinal), c, p, of))
			}
			return true
		})
	}
	for slot, p := range v.replicas {
		if p != nil {
			explain(p, v.ordinal(slot))
		}
	}
	for i := len(v.condemned) - 1; i >= 0; i-- {
		explain(v.condemned[i].pod, v.condemned[i].ordinal)
	}
}
