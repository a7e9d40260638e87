package engine

import "slices"

// claimIndex finds claims by ordinal and template. What it takes follows from the claims that there are, and not from the
// ordinals and templates that a few bytes ask for.
type claimIndex struct {
	slots  []*Claim                // of the range: slot * number of templates + template; nil where few of them would be filled
	others map[int32][]placedClaim // the other claims by ordinal, in the order of the templates
	bases  map[string]int          // templates by prefix, where there are many
	ofPods bool                    // one of them may refer to a pod
}

type placedClaim struct {
	template int
	claim    *Claim
}

// fewTemplates is how many prefixes are quicker compared than looked up.
const fewTemplates = 4

func (d *decision) indexClaims() {
	if len(d.templates) == 0 {
		return
	}
	x := &d.claims
	places := len(d.replicas) * len(d.templates)
	if places <= 1024+4*(len(d.s.Pods)+len(d.s.Claims)) {
		x.slots = make([]*Claim, places)
	}
	for i := range d.s.Claims {
		d.workAlong(partClaims, 4, i, len(d.s.Claims))
		c := &d.s.Claims[i]
		ordinal, template, ok := d.placeOf(c)
		if !ok {
			continue
		}
		x.ofPods = x.ofPods || c.mayReferToPod()
		slot, inRange := d.slotOf(ordinal)
		switch {
		case inRange && x.slots != nil:
			x.slots[slot*len(d.templates)+template] = c
		case inRange || len(d.condemned) > 0:
			if x.others == nil {
				x.others = make(map[int32][]placedClaim)
			}
			x.others[ordinal] = append(x.others[ordinal], placedClaim{template, c})
		}
	}
	for _, list := range x.others {
		d.sortPlaced(list)
	}
}

func (d *decision) sortPlaced(list []placedClaim) {
	if len(list) > 1 {
		sortList(d, partClaims, list, func(a, b placedClaim) int { return a.template - b.template })
	}
}

// placeOf tells of which ordinal and template a claim is.
func (d *decision) placeOf(c *Claim) (ordinal int32, template int, ok bool) {
	if len(d.templates) <= fewTemplates {
		for t := range d.templates {
			if ordinal, ok := parseClaim(c.Name, d.templates[t].prefix); ok {
				return ordinal, t, true
			}
		}
		return 0, 0, false
	}
	if d.claims.bases == nil {
		d.work(partClaimTemplates, 2*len(d.templates))
		d.claims.bases = make(map[string]int, len(d.templates))
		for t := range d.templates {
			d.meter.pause(t)
			d.claims.bases[d.templates[t].prefix] = t
		}
	}
	prefix := len(c.Name)
	for prefix > 0 && c.Name[prefix-1] >= '0' && c.Name[prefix-1] <= '9' {
		prefix--
	}
	if template, ok = d.claims.bases[c.Name[:prefix]]; !ok {
		return 0, 0, false
	}
	ordinal, ok = parseClaim(c.Name, c.Name[:prefix])
	return ordinal, template, ok
}

// nextClaim returns the first claim of an ordinal from a template on, and its template; nil and the number of templates
// where there is none.
func (d *decision) nextClaim(ordinal int32, from int) (template int, c *Claim) {
	if from == len(d.templates) {
		return from, nil
	}
	return d.findClaim(ordinal, from)
}

func (d *decision) findClaim(ordinal int32, from int) (template int, c *Claim) {
	if slot, inRange := d.slotOf(ordinal); inRange && d.claims.slots != nil {
		slots := d.claims.slots[slot*len(d.templates) : (slot+1)*len(d.templates)]
		for ; from < len(slots); from++ {
			if c := slots[from]; c != nil {
				return from, c
			}
		}
		return len(d.templates), nil
	}
	return nextPlaced(d.claims.others[ordinal], from, len(d.templates))
}

func nextPlaced(list []placedClaim, from, none int) (template int, c *Claim) {
	i, _ := slices.BinarySearchFunc(list, from, func(p placedClaim, from int) int { return p.template - from })
	if i == len(list) {
		return none, nil
	}
	return list[i].template, list[i].claim
}

// claimsInRange calls each for the claims of the range, by ordinal and template.
func (d *decision) claimsInRange(each func(ordinal int32, c *Claim)) {
	if len(d.templates) == 0 {
		return
	}
	for i, c := range d.claims.slots {
		d.meter.pause(i)
		if c != nil {
			each(d.ordinal(i/len(d.templates)), c)
		}
	}
	if d.claims.slots != nil {
		return
	}
	var ordinals []int32
	for ordinal := range d.claims.others {
		d.work(partClaims, 1)
		if _, inRange := d.slotOf(ordinal); inRange {
			ordinals = append(ordinals, ordinal)
		}
	}
	sortList(d, partClaims, ordinals, func(a, b int32) int { return int(a) - int(b) })
	for _, ordinal := range ordinals {
		for _, p := range d.claims.others[ordinal] {
			each(ordinal, p.claim)
		}
	}
}
