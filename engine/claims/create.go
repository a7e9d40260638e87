package claims

import (
	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/model"
)

// CreateMissing plans the claims that an ordinal's pod needs (createPersistentVolumeClaims upstream). It returns
// false if the pod must not be created yet: a claim is going away, or its creation could not be planned. Without says which claim templates
// the pod does not have.
func CreateMissing(v *Claims, mk *claimtemplate.Maker, step *model.Step, ordinal int32, without claimtemplate.RemovedTemplates, why model.Cause) bool {
	ready := true
	claims := v.claimsOf(ordinal)
	next, c := claims.next(0)
	for i := 0; i < len(v.Templates); i++ {
		switch {
		case without.Has(i):
			if i < next {
				continue
			}
		case i < next:
			if !mk.CreateClaim(step, i, ordinal, why) {
				ready = false
				i = next - 1 // nor can the others be made that are missing before it
			}
			continue
		case !c.DeletedAt.IsZero():
			ready = false
			mk.Out.TellOnce(blockClaimTerminating(c, v.Set.PodName(ordinal)))
		case c.Phase == model.ClaimLost:
			mk.Out.Block(blockClaimLost(c, v.Set.PodName(ordinal)))
		}
		next, c = claims.next(i + 1)
	}
	return ready
}
