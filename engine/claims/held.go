package claims

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

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
func (v *Claims) eachInDanger(p *model.Pod, ordinal int32, each func(template int, c *model.Claim, of danger) bool) {
	if v.noneInDanger() {
		return
	}
	wanted := v.Wanted(ordinal)
	if v.wantedOwner(wanted).pod || !wanted && v.Drains() {
		return
	}
	claims, without, usual := v.claimsOf(ordinal), v.RemovedAt(p.Revision), v.boundAsUsual(p, model.CanonicalName(p.Name))
	next, c := claims.next(0)
	for i := range v.Templates {
		var at *model.Claim
		if i == next {
			at = c
			next, c = claims.next(i + 1)
		}
		if of, in := v.dangerOf(at, p, wanted); in && !without.Has(i) && (usual[i] || v.binds(p, i, ordinal)) && !each(i, at, of) {
			return
		}
	}
}

// noneInDanger reports whether it is known without a look at each claim that none is in danger, or the rules do not care.
func (v *Claims) noneInDanger() bool {
	return !v.Index.ofEarlierSet && !v.Index.broken && v.Index.inRange == len(v.Replicas)*len(v.Templates) || !v.Rules.WantedClaimsStay || v.Deleting()
}

func (v *Claims) dangerOf(c *model.Claim, p *model.Pod, wanted bool) (of danger, in bool) {
	switch {
	case c == nil:
		// For one that is pending it is created, and beside one that has just been made the list of claims may be behind.
		return dangerMissing, wanted && p.Phase != model.PodPending && !p.CreatedAt.Add(state.Moment).After(v.Now)
	case !c.DeletedAt.IsZero():
		return dangerGoing, true
	case c.Phase == model.ClaimLost:
		return dangerLost, wanted && p.Phase != model.PodPending
	case !v.Index.ofEarlierSet:
		return 0, false
	}
	is := v.OwnershipOf(c, v.OwnPod(RefTo(p)))
	return dangerEarlierSet, is.ofEarlierSet()
}

// HeldBy is the name of a claim for which a pod is not deleted; "": there is none.
func (v *Claims) HeldBy(p *model.Pod, ordinal int32) (held string) {
	if p.HoldsClaims() {
		v.eachInDanger(p, ordinal, func(template int, _ *model.Claim, _ danger) bool {
			held = v.claimName(template, ordinal)
			return false
		})
	}
	return held
}

// ExplainDanger adds a block for each claim in danger. One that this plan releases from an earlier set needs none.
func ExplainDanger(v *Claims, out *state.Draft) {
	if v.noneInDanger() {
		return
	}
	pods := 0
	explain := func(p *model.Pod, ordinal int32) {
		if pods++; p.Terminating() || out.EndsAt(pods) {
			return
		}
		v.eachInDanger(p, ordinal, func(template int, c *model.Claim, of danger) bool {
			switch code := of.code(); {
			case !p.HoldsClaims() && (of != dangerGoing || !p.HasEnded()), c != nil && out.Changed[c.Name]:
			case out.Enough(code):
				out.Omit(code, 1)
			default:
				out.TellOnce(blockClaimInDanger(v.claimName(template, ordinal), c, p, of))
			}
			return true
		})
	}
	for slot, p := range v.Replicas {
		if p != nil {
			explain(p, v.Ordinal(slot))
		}
	}
	for i := len(v.Condemned) - 1; i >= 0; i-- {
		explain(v.Condemned[i].Pod, v.Condemned[i].Ordinal)
	}
}
