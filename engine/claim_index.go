package engine

import (
	"slices"

	"github.com/setplan/setplan/engine/model"
)

// claimIndex finds claims by ordinal and template. Its size follows from the claims that exist, not from the ordinals and templates
// that a few bytes can ask for.
type claimIndex struct {
	slots  []*model.Claim          // of the range: slot * number of templates + template; nil where few of them would be filled
	others map[int32][]placedClaim // the other claims by ordinal, in the order of the templates

	inRange                                 int  // how many are of the range
	broken                                  bool // one of them is being deleted, or is lost
	owned                                   bool // one of them has an owner
	ofPods, ofSet, ofEarlierSet, ofNamesake bool // one of them may refer to a pod, to the set, to an earlier set of the name, to one of another kind
}

type placedClaim struct {
	template int
	claim    *model.Claim
}

func (v *view) indexClaims() {
	if len(v.templates) == 0 {
		return
	}
	x := &v.claims
	places := len(v.replicas) * len(v.templates)
	if places <= 1024+4*(len(v.s.Pods)+len(v.s.Claims)) {
		x.slots = make([]*model.Claim, places)
	}
	for i := range v.s.Claims {
		if v.endsAt(i) {
			break
		}
		c := &v.s.Claims[i]
		ordinal, template, ok := v.placeOf(c)
		if !ok {
			continue
		}
		if len(c.Owners) > 0 {
			x.owned = true
			v.noteOwners(c.Owners)
		}
		x.broken = x.broken || !c.DeletedAt.IsZero() || c.Phase == model.ClaimLost
		slot, inRange := v.slotOf(ordinal)
		if inRange {
			x.inRange++
		}
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
		sortList(list, func(a, b placedClaim) int { return a.template - b.template })
	}
}

// placeOf returns the ordinal and the template that a claim belongs to: its name is "<template>-<set>-<ordinal>".
func (v *view) placeOf(c *model.Claim) (ordinal int32, template int, ok bool) {
	base, ordinal, canonical := model.CutOrdinal(c.Name)
	if !canonical || ordinal == model.NoOrdinal {
		return 0, 0, false // nobody's claim
	}
	end := len(base) - len(v.set.Name) - 2
	if end < 0 || base[end] != '-' || base[len(base)-1] != '-' || base[end+1:len(base)-1] != v.set.Name {
		return 0, 0, false
	}
	template, ok = v.templateNamed(base[:end])
	return ordinal, template, ok
}

// claimRow is the claims of one ordinal, in the order of the templates.
type claimRow struct {
	slots  []*model.Claim // a place for each template, or else:
	placed []placedClaim  // those that there are
	none   int            // the number of templates
}

func (v *view) claimsOf(ordinal int32) claimRow {
	n := len(v.templates)
	if slot, inRange := v.slotOf(ordinal); inRange && v.claims.slots != nil {
		return claimRow{slots: v.claims.slots[slot*n : (slot+1)*n], none: n}
	}
	return claimRow{placed: v.claims.others[ordinal], none: n}
}

// next returns the first claim from a template on, and its template; nil and the number of templates where there is none.
func (r *claimRow) next(from int) (template int, c *model.Claim) {
	for ; from < len(r.slots); from++ {
		if c := r.slots[from]; c != nil {
			return from, c
		}
	}
	if len(r.placed) > 0 {
		i, _ := slices.BinarySearchFunc(r.placed, from, func(p placedClaim, from int) int { return p.template - from })
		if i < len(r.placed) {
			return r.placed[i].template, r.placed[i].claim
		}
	}
	return r.none, nil
}

func (r *claimRow) empty() bool {
	_, c := r.next(0)
	return c == nil
}

// claimsInRange calls each for the claims of the range, by ordinal and template.
func (v *view) claimsInRange(each func(ordinal int32, c *model.Claim)) {
	if len(v.templates) == 0 {
		return
	}
	for i, c := range v.claims.slots {
		if v.endsAt(i) {
			return
		}
		if c != nil {
			each(v.ordinal(i/len(v.templates)), c)
		}
	}
	if v.claims.slots != nil {
		return
	}
	var ordinals []int32
	for ordinal := range v.claims.others {
		if _, inRange := v.slotOf(ordinal); inRange {
			ordinals = append(ordinals, ordinal)
		}
	}
	sortList(ordinals, func(a, b int32) int { return int(a) - int(b) })
	for _, ordinal := range ordinals {
		for _, p := range v.claims.others[ordinal] {
			each(ordinal, p.claim)
		}
	}
}
