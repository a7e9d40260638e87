package engine

import "slices"

// claimIndex finds claims by ordinal and template. Its size follows from the claims that exist, not from the ordinals and templates
// that a few bytes can ask for.
type claimIndex struct {
	slots  []*Claim                // of the range: slot * number of templates + template; nil where few of them would be filled
	others map[int32][]placedClaim // the other claims by ordinal, in the order of the templates

	ofPods, ofSet, ofEarlierSet bool // one of them may refer to a pod, to the set, to an earlier set of the name
}

type placedClaim struct {
	template int
	claim    *Claim
}

// fewTemplates is how many prefixes are quicker compared than looked up.
const fewTemplates = 4

func (v *view) indexClaims() {
	if len(v.templates) == 0 {
		return
	}
	x := &v.claims
	places := len(v.replicas) * len(v.templates)
	if places <= 1024+4*(len(v.s.Pods)+len(v.s.Claims)) {
		x.slots = make([]*Claim, places)
	}
	for i := range v.s.Claims {
		v.meter.workAlong(partClaims, 4, i, len(v.s.Claims))
		c := &v.s.Claims[i]
		ordinal, template, ok := v.placeOf(c)
		if !ok {
			continue
		}
		if len(c.Owners) > 0 {
			v.noteOwners(c.Owners)
		}
		slot, inRange := v.slotOf(ordinal)
		switch {
		case inRange && x.slots != nil:
			x.slots[slot*len(v.templates)+template] = c
		case inRange || len(v.condemned) > 0:
			if x.others == nil {
				x.others = make(map[int32][]placedClaim)
			}
			x.others[ordinal] = append(x.others[ordinal], placedClaim{template, c})
		}
	}
	for _, list := range x.others {
		v.sortPlaced(list)
	}
}

func (v *view) sortPlaced(list []placedClaim) {
	if len(list) > 1 {
		sortList(v.meter, partClaims, list, func(a, b placedClaim) int { return a.template - b.template })
	}
}

// placeOf returns the ordinal and the template that a claim belongs to.
func (v *view) placeOf(c *Claim) (ordinal int32, template int, ok bool) {
	if len(v.templates) <= fewTemplates {
		for t := range v.templates {
			if ordinal, ok := parseClaim(c.Name, v.templates[t].prefix); ok {
				return ordinal, t, true
			}
		}
		return 0, 0, false
	}
	if v.bases == nil {
		v.meter.work(partClaimTemplates, 2*len(v.templates))
		v.bases = make(map[string]int, len(v.templates))
		for t := range v.templates {
			v.meter.pause(t)
			v.bases[v.templates[t].prefix] = t
		}
	}
	prefix := len(c.Name)
	for prefix > 0 && c.Name[prefix-1] >= '0' && c.Name[prefix-1] <= '9' {
		prefix--
	}
	if template, ok = v.bases[c.Name[:prefix]]; !ok {
		return 0, 0, false
	}
	ordinal, ok = parseClaim(c.Name, c.Name[:prefix])
	return ordinal, template, ok
}

// nextClaim returns the first claim of an ordinal from a template on, and its template; nil and the number of templates
// where there is none.
func (v *view) nextClaim(ordinal int32, from int) (template int, c *Claim) {
	if from == len(v.templates) {
		return from, nil
	}
	return v.findClaim(ordinal, from)
}

func (v *view) findClaim(ordinal int32, from int) (template int, c *Claim) {
	if slot, inRange := v.slotOf(ordinal); inRange && v.claims.slots != nil {
		slots := v.claims.slots[slot*len(v.templates) : (slot+1)*len(v.templates)]
		for ; from < len(slots); from++ {
			if c := slots[from]; c != nil {
				return from, c
			}
		}
		return len(v.templates), nil
	}
	return nextPlaced(v.claims.others[ordinal], from, len(v.templates))
}

func nextPlaced(list []placedClaim, from, none int) (template int, c *Claim) {
	i, _ := slices.BinarySearchFunc(list, from, func(p placedClaim, from int) int { return p.template - from })
	if i == len(list) {
		return none, nil
	}
	return list[i].template, list[i].claim
}

// claimsInRange calls each for the claims of the range, by ordinal and template.
func (v *view) claimsInRange(each func(ordinal int32, c *Claim)) {
	if len(v.templates) == 0 {
		return
	}
	for i, c := range v.claims.slots {
		v.meter.pause(i)
		if c != nil {
			each(v.ordinal(i/len(v.templates)), c)
		}
	}
	if v.claims.slots != nil {
		return
	}
	var ordinals []int32
	for ordinal := range v.claims.others {
		v.meter.work(partClaims, 1)
		if _, inRange := v.slotOf(ordinal); inRange {
			ordinals = append(ordinals, ordinal)
		}
	}
	sortList(v.meter, partClaims, ordinals, func(a, b int32) int { return int(a) - int(b) })
	for _, ordinal := range ordinals {
		for _, p := range v.claims.others[ordinal] {
			each(ordinal, p.claim)
		}
	}
}
