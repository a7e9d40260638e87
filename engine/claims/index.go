package claims

import (
	"slices"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
)

// claimIndex finds claims by ordinal and template. Its size follows from the claims that exist, not from the ordinals and templates
// that a few bytes can ask for.
type claimIndex struct {
	slots  []*model.Claim          // of the range: slot * number of templates + template; nil where few of them would be filled
	others map[int32][]PlacedClaim // the other claims by ordinal, in the order of the templates

	inRange                                 int  // how many are of the range
	broken                                  bool // one of them is being deleted, or is lost
	Owned                                   bool // one of them has an owner
	ofPods, ofSet, ofEarlierSet, ofNamesake bool // one of them may refer to a pod, to the set, to an earlier set of the name, to one of another kind
}

// PlacedClaim is a claim with the claim template whose name it has.
type PlacedClaim struct {
	Template int
	Claim    *model.Claim
}

// IndexClaims sorts the claims by ordinal.
func (v *Claims) IndexClaims() {
	if len(v.Templates) == 0 {
		return
	}
	x := &v.Index
	places := len(v.Replicas) * len(v.Templates)
	if places <= 1024+4*(len(v.Snap.Pods)+len(v.Snap.Claims)) {
		x.slots = make([]*model.Claim, places)
	}
	for i := range v.Snap.Claims {
		if v.EndsAt(i) {
			break
		}
		c := &v.Snap.Claims[i]
		ordinal, template, ok := v.PlaceOf(c)
		if !ok {
			continue
		}
		if len(c.Owners) > 0 {
			x.Owned = true
			v.noteOwners(c.Owners)
		}
		x.broken = x.broken || !c.DeletedAt.IsZero() || c.Phase == model.ClaimLost
		slot, inRange := v.SlotOf(ordinal)
		if inRange {
			x.inRange++
		}
		switch {
		case inRange && x.slots != nil:
			x.slots[slot*len(v.Templates)+template] = c
		case inRange || len(v.Condemned) > 0:
			if x.others == nil {
				x.others = make(map[int32][]PlacedClaim)
			}
			x.others[ordinal] = append(x.others[ordinal], PlacedClaim{template, c})
		}
	}
	for _, list := range x.others {
		v.SortPlaced(list)
	}
}

// SortPlaced sorts the claims of an ordinal by template.
func (v *Claims) SortPlaced(list []PlacedClaim) {
	if len(list) > 1 {
		plan.Sort(list, func(a, b PlacedClaim) int { return a.Template - b.Template })
	}
}

// PlaceOf returns the ordinal and the template that a claim belongs to: its name is "<template>-<set>-<ordinal>".
func (v *Claims) PlaceOf(c *model.Claim) (ordinal int32, template int, ok bool) {
	base, ordinal, canonical := model.CutOrdinal(c.Name)
	if !canonical || ordinal == model.NoOrdinal {
		return 0, 0, false // nobody's claim
	}
	end := len(base) - len(v.Set.Name) - 2
	if end < 0 || base[end] != '-' || base[len(base)-1] != '-' || base[end+1:len(base)-1] != v.Set.Name {
		return 0, 0, false
	}
	template, ok = v.TemplateNamed(base[:end])
	return ordinal, template, ok
}

// claimRow is the claims of one ordinal, in the order of the templates.
type claimRow struct {
	slots  []*model.Claim // a place for each template, or else:
	placed []PlacedClaim  // those that there are
	none   int            // the number of templates
}

func (v *Claims) claimsOf(ordinal int32) claimRow {
	n := len(v.Templates)
	if slot, inRange := v.SlotOf(ordinal); inRange && v.Index.slots != nil {
		return claimRow{slots: v.Index.slots[slot*n : (slot+1)*n], none: n}
	}
	return claimRow{placed: v.Index.others[ordinal], none: n}
}

// next returns the first claim from a template on, and its template; nil and the number of templates where there is none.
func (r *claimRow) next(from int) (template int, c *model.Claim) {
	for ; from < len(r.slots); from++ {
		if c := r.slots[from]; c != nil {
			return from, c
		}
	}
	if len(r.placed) > 0 {
		i, _ := slices.BinarySearchFunc(r.placed, from, func(p PlacedClaim, from int) int { return p.Template - from })
		if i < len(r.placed) {
			return r.placed[i].Template, r.placed[i].Claim
		}
	}
	return r.none, nil
}

func (r *claimRow) empty() bool {
	_, c := r.next(0)
	return c == nil
}

// ClaimsInRange calls each for the claims of the range, by ordinal and template.
func (v *Claims) ClaimsInRange(each func(ordinal int32, c *model.Claim)) {
	if len(v.Templates) == 0 {
		return
	}
	for i, c := range v.Index.slots {
		if v.EndsAt(i) {
			return
		}
		if c != nil {
			each(v.Ordinal(i/len(v.Templates)), c)
		}
	}
	if v.Index.slots != nil {
		return
	}
	var ordinals []int32
	for ordinal := range v.Index.others {
		if _, inRange := v.SlotOf(ordinal); inRange {
			ordinals = append(ordinals, ordinal)
		}
	}
	plan.Sort(ordinals, func(a, b int32) int { return int(a) - int(b) })
	for _, ordinal := range ordinals {
		for _, p := range v.Index.others[ordinal] {
			each(ordinal, p.Claim)
		}
	}
}

// noteOwners notes to whom a claim refers.
func (v *Claims) noteOwners(owners []model.Owner) {
	x := &v.Index
	for i := range owners {
		o := &owners[i]
		x.ofPods = x.ofPods || o.Kind == model.KindPod
		x.ofSet = x.ofSet || o.UID == v.Set.UID
		x.ofEarlierSet = x.ofEarlierSet || o.UID != v.Set.UID && v.RefersToSet(o)
		x.ofNamesake = x.ofNamesake || v.IsNamesake(o)
	}
}

func (v *Claims) OrdinalOfClaim(c *model.Claim) int32 {
	if ordinal, _, ok := v.PlaceOf(c); ok {
		return ordinal
	}
	return model.NoOrdinal
}
