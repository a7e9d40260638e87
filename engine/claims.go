package engine

import "fmt"

// whyClaimStays is the remedy for a claim that does not go.
const whyClaimStays = "If it stays: look at its finalizers and at pods that still use it."

// createMissingClaims plans the claims that an ordinal's pod needs (createPersistentVolumeClaims upstream). It returns
// false if the pod must not be created yet: a claim is going away, or its creation could not be planned.
func (d *decision) createMissingClaims(step *Step, ordinal int32, why Cause) bool {
	ready := true
	next, c := d.nextClaim(ordinal, 0)
	for i := 0; i < len(d.templates); i++ {
		d.work(partClaims, 1)
		switch {
		case i < next:
			if !d.createClaim(step, &d.templates[i], ordinal, why) {
				ready = false
				i = next - 1 // nor can the others be made that are missing before it
			}
			continue
		case !c.DeletedAt.IsZero():
			ready = false
			d.block(Block{Code: BlockClaimTerminating, Severity: Wait, Kind: KindClaim, Name: c.Name, Since: c.DeletedAt,
				Message: fmt.Sprintf("The claim is being deleted, and pod %s can only have a new one once it is gone.", short(d.set.podName(ordinal))),
				Remedy:  whyClaimStays})
		case c.Phase == ClaimLost:
			d.block(Block{Code: BlockClaimLost, Severity: Attention, Kind: KindClaim, Name: c.Name,
				Message: fmt.Sprintf("The claim has lost its volume, so pod %s cannot start on it.", short(d.set.podName(ordinal))),
				Remedy:  "Restore the volume, or delete the claim to let the ordinal begin with an empty one."})
		}
		next, c = d.nextClaim(ordinal, i+1)
	}
	return ready
}

func (d *decision) createClaim(step *Step, t *claimTemplate, ordinal int32, why Cause) bool {
	a := Action{Kind: KindClaim, Name: ordinalName(t.name+"-"+d.set.Name, ordinal), MustNotExist: true, Op: CreateClaim{}, Cause: why}
	if !d.fits(&a) {
		return false
	}
	a.Op = CreateClaim{Manifest: d.newClaim(t, ordinal)}
	return d.emit(step, a)
}
