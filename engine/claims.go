package engine

import "fmt"

// whyClaimStays is the remedy for a claim that does not go.
const whyClaimStays = "If it stays: look at its finalizers and at pods that still use it."

// claimIndex finds a claim by ordinal and template without hashing names for the ordinals of the range.
type claimIndex struct {
	slots  []*Claim // slot * number of templates + template
	others map[otherClaim]*Claim
}

type otherClaim struct {
	ordinal  int32
	template int
}

func (d *decision) indexClaims() {
	if len(d.templates) == 0 {
		return
	}
	d.claims.slots = make([]*Claim, len(d.replicas)*len(d.templates))
	for i := range d.s.Claims {
		c := &d.s.Claims[i]
		for t := range d.templates {
			ordinal, ok := parseClaim(c.Name, d.templates[t].prefix)
			if !ok {
				continue
			}
			if slot, inRange := d.slotOf(ordinal); inRange {
				d.claims.slots[slot*len(d.templates)+t] = c
			} else if len(d.condemned) > 0 {
				if d.claims.others == nil {
					d.claims.others = make(map[otherClaim]*Claim)
				}
				d.claims.others[otherClaim{ordinal, t}] = c
			}
		}
	}
}

func (d *decision) claim(ordinal int32, template int) *Claim {
	if slot, inRange := d.slotOf(ordinal); inRange {
		return d.claims.slots[slot*len(d.templates)+template]
	}
	return d.claims.others[otherClaim{ordinal, template}]
}

// createMissingClaims plans the claims that an ordinal's pod needs (createPersistentVolumeClaims upstream). It returns
// false if the pod must not be created yet: a claim is going away, or its creation could not be planned.
func (d *decision) createMissingClaims(step *Step, ordinal int32, why Cause) bool {
	ready := true
	for i := range d.templates {
		t := &d.templates[i]
		switch c := d.claim(ordinal, i); {
		case c == nil:
			ready = d.emit(step, Action{Kind: KindClaim, Name: ordinalName(t.name+"-"+d.set.Name, ordinal), MustNotExist: true,
				Op: CreateClaim{Manifest: d.newClaim(t, ordinal)}, Cause: why}) && ready
		case !c.DeletedAt.IsZero():
			ready = false
			d.block(Block{Code: BlockClaimTerminating, Severity: Wait, Kind: KindClaim, Name: c.Name, Since: c.DeletedAt,
				Sentence: fmt.Sprintf("The claim is being deleted, and pod %s can only have a new one once it is gone.", d.set.podName(ordinal)),
				Remedy:   whyClaimStays})
		case c.Phase == ClaimLost:
			d.block(Block{Code: BlockClaimLost, Severity: Attention, Kind: KindClaim, Name: c.Name,
				Sentence: fmt.Sprintf("The claim has lost its volume, so pod %s cannot start on it.", d.set.podName(ordinal)),
				Remedy:   "Restore the volume, or delete the claim to let the ordinal begin with an empty one."})
		}
	}
	return ready
}
