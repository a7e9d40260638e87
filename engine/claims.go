package engine

import "github.com/setplan/setplan/engine/model"

// createMissingClaims plans the claims that an ordinal's pod needs (createPersistentVolumeClaims upstream). It returns
// false if the pod must not be created yet: a claim is going away, or its creation could not be planned. Without says which claim templates
// the pod does not have.
func (mk *maker) createMissingClaims(step *model.Step, ordinal int32, without removedTemplates, why model.Cause) bool {
	ready := true
	claims := mk.view.claimsOf(ordinal)
	next, c := claims.next(0)
	for i := 0; i < len(mk.view.templates); i++ {
		switch {
		case without.has(i):
			if i < next {
				continue
			}
		case i < next:
			if !mk.createClaim(step, i, ordinal, why) {
				ready = false
				i = next - 1 // nor can the others be made that are missing before it
			}
			continue
		case !c.DeletedAt.IsZero():
			ready = false
			mk.out.tellOnce(blockClaimTerminating(c, mk.view.set.PodName(ordinal)))
		case c.Phase == model.ClaimLost:
			mk.out.block(blockClaimLost(c, mk.view.set.PodName(ordinal)))
		}
		next, c = claims.next(i + 1)
	}
	return ready
}

func (mk *maker) createClaim(step *model.Step, template int, ordinal int32, why model.Cause) bool {
	t := &mk.view.templates[template]
	a := model.Action{Kind: model.KindClaim, Name: model.OrdinalName(t.name+"-"+mk.view.set.Name, ordinal), MustNotExist: true, Op: model.CreateClaim{}, Cause: why}
	if !mk.out.fits(&a) {
		return false
	}
	a.Op = model.CreateClaim{Manifest: mk.newClaim(template, ordinal)}
	return mk.out.emit(step, a)
}
