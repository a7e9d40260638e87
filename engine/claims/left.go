package claims

import (
	"slices"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/state"
)

// A claim outside the range whose pod has gone is left over. No step comes to it, so a reference that it got under an earlier retention
// policy would stay, and the claim be deleted with the set although whenDeleted has become Retain. Upstream leaves it so.

// leftover is a claim outside the range whose ordinal has no pod of the set.
type leftover struct {
	claim    *model.Claim
	ordinal  int32
	template int
}

// leftoversThatGo lists leftovers that would be deleted against the retention policy, by ordinal and template. A drain policy has its own
// rules for them: see drain/protect.go.
func (v *Claims) leftoversThatGo() (list []leftover) {
	if v.Drains() {
		return nil
	}
	for i := range v.Snap.Claims {
		if v.EndsAt(i) {
			break
		}
		c := &v.Snap.Claims[i]
		if len(c.Owners) == 0 || !c.DeletedAt.IsZero() {
			continue
		}
		ordinal, template, ok := v.PlaceOf(c)
		if _, inRange := v.SlotOf(ordinal); !ok || inRange || v.isCondemned(ordinal) {
			continue
		}
		if is := v.OwnershipOf(c, v.OwnPod(PodRef{Name: v.Set.PodName(ordinal)})); v.goesAgainstPolicy(&is) {
			list = append(list, leftover{c, ordinal, template})
		}
	}
	plan.Sort(list, func(a, b leftover) int {
		if a.ordinal != b.ordinal {
			return int(a.ordinal) - int(b.ordinal)
		}
		return a.template - b.template
	})
	return list
}

// goesAgainstPolicy reports whether a claim would be deleted with the set although whenDeleted keeps it, or with an earlier pod although
// whenScaled does. A drain policy releases claims from the set itself, but for those that it is about to delete.
func (v *Claims) goesAgainstPolicy(is *ownership) bool {
	return is.Set && !v.DeletesOnDelete && !v.Drains() || v.freesFromGone(is)
}

// isCondemned reports whether an ordinal outside the range has a pod of the set.
func (v *Claims) isCondemned(ordinal int32) bool {
	_, found := v.findCondemned(ordinal)
	return found
}

func (v *Claims) findCondemned(ordinal int32) (at int, found bool) {
	return slices.BinarySearchFunc(v.Condemned, ordinal, func(m state.Member, of int32) int { return int(of) - int(m.Ordinal) })
}
