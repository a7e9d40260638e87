package engine

import (
	"fmt"
	"slices"
)

// drainPlace is an ordinal with something to drain, or with a replica that goes.
type drainPlace struct {
	ordinal  int32
	name     string        // of its pods
	inRange  bool          // it is back
	claims   []placedClaim // in the order of the claim templates
	replica  *Pod
	pod      *Pod     // the drain pod
	listed   []*Claim // of the claims, those that it drains
	stranger *Pod     // somebody else's pod of the name
}

// findPlaces looks for what is outside the range, and for drains that were begun and whose ordinal is back.
func (d *decision) findPlaces() {
	dr := d.drain
	if dr == nil {
		return
	}
	dr.at = make(map[int32]*drainPlace)
	for _, m := range d.condemned {
		d.work(partDrain, 2)
		if p := d.placeAt(m.ordinal); p.replica == nil {
			p.replica = m.pod
		}
		if d.asked != nil && !m.pod.terminating() && m.pod.Revision == d.current.name {
			dr.leaving++
		}
	}
	for _, pod := range d.strangers {
		d.work(partPods, 2)
		if ordinal, ok := d.ordinalOf(pod); ok && d.isDrainPod(pod) {
			d.placeAt(ordinal).pod = pod
		}
	}
	d.findClaims()
	for _, pod := range d.strangers {
		d.work(partPods, 1)
		if ordinal, ok := d.ordinalOf(pod); ok && dr.at[ordinal] != nil && !d.isDrainPod(pod) {
			dr.at[ordinal].stranger = pod
		}
	}
	for _, p := range dr.at {
		d.work(partDrain, 1)
		if p.inRange {
			dr.returning = append(dr.returning, p)
		} else {
			dr.places = append(dr.places, p)
		}
	}
	highestFirst := func(a, b *drainPlace) int { return int(b.ordinal) - int(a.ordinal) }
	sortList(d, partDrain, dr.places, highestFirst)
	sortList(d, partDrain, dr.returning, highestFirst)
	d.findListed()
	d.countRoom()
}

// findClaims gives each place its claims. A claim makes a place where it is outside the range, or bears the trace of a
// drain that was begun.
func (d *decision) findClaims() {
	each := func(f func(c *Claim, ordinal int32, template int)) {
		for i := range d.s.Claims {
			d.work(partClaims, 4)
			c := &d.s.Claims[i]
			if ordinal, template, ok := d.placeOf(c); ok {
				f(c, ordinal, template)
			}
		}
	}
	each(func(c *Claim, ordinal int32, _ int) {
		if _, inRange := d.slotOf(ordinal); !inRange || c.drainSet() == d.drain.mark && c.attempts() > 0 {
			d.placeAt(ordinal)
		}
	})
	each(func(c *Claim, ordinal int32, template int) {
		if p := d.drain.at[ordinal]; p != nil {
			p.claims = append(p.claims, placedClaim{template, c})
		}
	})
	for _, p := range d.drain.at {
		d.work(partDrain, 1)
		d.sortPlaced(p.claims)
	}
}

func (d *decision) placeAt(ordinal int32) *drainPlace {
	p := d.drain.at[ordinal]
	if p == nil {
		p = &drainPlace{ordinal: ordinal, name: d.set.podName(ordinal)}
		var slot int
		if slot, p.inRange = d.slotOf(ordinal); p.inRange {
			p.replica = d.replicas[slot]
		}
		d.drain.at[ordinal] = p
	}
	return p
}

// ordinalOf reads the ordinal that a pod's name means to this set.
func (d *decision) ordinalOf(p *Pod) (ordinal int32, ok bool) {
	parent, ordinal, canonical, ok := parseMember(p.Name)
	return ordinal, ok && canonical && ordinal != noOrdinal && parent == d.set.Name
}

// marked tells whether the policy covers a claim that is there to stay.
func (d *decision) marked(c *Claim) bool {
	return c != nil && c.DeletedAt.IsZero() && c.drainSet() == d.drain.mark
}

// another tells whether a claim is marked as another set's, by its name: two sets may want claims of the same name.
func (d *decision) another(c *Claim) bool {
	return c != nil && c.drainSet() != "" && !d.ofSameName(c.drainSet())
}

// covers tells whether the policy covers an ordinal, and so every claim of it that is nobody else's: it has a replica,
// or one of its claims is marked, or leftovers are asked for.
func (d *decision) covers(p *drainPlace) bool {
	if p.replica != nil || d.drain.leftovers {
		return true
	}
	for i, c := range p.claims {
		d.meter.pause(i)
		if d.marked(c.claim) {
			return true
		}
	}
	return false
}

// live lists the claims of a place that hold its data: covered, and not going.
func (d *decision) live(p *drainPlace) []*Claim {
	d.work(partDrain, 1+len(p.claims)/4)
	if !d.covers(p) {
		return nil
	}
	var live []*Claim
	for i, placed := range p.claims {
		d.meter.pause(i)
		if c := placed.claim; c.DeletedAt.IsZero() && !d.another(c) {
			live = append(live, c)
		}
	}
	return live
}

// drained tells whether nothing is left of an ordinal but what was never the policy's.
func (d *decision) drained(p *drainPlace) bool {
	return p.pod == nil && p.replica == nil && len(d.live(p)) == 0
}

// begun tells whether a drain pod was made, or about to be made, for the data that is there.
func (d *decision) begun(p *drainPlace) bool {
	return slices.ContainsFunc(p.claims, func(c placedClaim) bool { return d.marked(c.claim) && c.claim.attempts() > 0 })
}

// comesBackLater tells whether an ordinal of the range gets no replica yet, because a drain has its name or its data.
// The drain says so by a block.
func (d *decision) comesBackLater(ordinal int32) bool {
	if d.drain == nil || d.drain.at[ordinal] == nil {
		return false
	}
	p := d.drain.at[ordinal]
	return p.pod != nil || d.drain.on && !d.drain.cancel && p.replica == nil && d.begun(p)
}

// explainLeftovers says which claims outside the range stay as they are.
func (d *decision) explainLeftovers(p *drainPlace) {
	covered := d.covers(p)
	for _, placed := range p.claims {
		d.work(partClaims, 1)
		c := placed.claim
		if !c.DeletedAt.IsZero() || d.marked(c) {
			continue
		}
		b := Block{Code: BlockDrainLeftover, Severity: Info, Kind: KindClaim, Name: c.Name}
		switch {
		case d.another(c):
			b.Message = fmt.Sprintf("The claim is marked as another set's (%s) and is left to it.", short(c.drainSet()))
			b.Remedy = "If that set is gone, remove the annotation " + annotationDrainSet + " from the claim."
		case !covered:
			b.Message = fmt.Sprintf("The claim was outside the range before the drain policy covered it, so it is not drained as claim %s of ordinal %d.", short(d.templates[placed.template].name), p.ordinal)
			b.Remedy = "Delete it by hand, or set " + policyLeftovers + " to true to have such claims drained."
		default:
			continue
		}
		d.block(b)
	}
}
