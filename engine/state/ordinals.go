package state

import "github.com/setplan/setplan/engine/policy"

// ReadGuard reports whether only pods of reserved ordinals may leave the set. An unknown text counts as yes.
func ReadGuard(v *View, out *Draft) bool {
	guard := v.Asks(policy.Guard)
	if guard.Text != "" && guard.Text != "named" {
		out.Block(blockInvalidGuard(v.Set, guard))
	}
	return guard.Text != ""
}

// Guarded reports whether the guard keeps the pod of an ordinal outside the range: the ordinal is not reserved, and the set is not being
// emptied.
func (v *View) Guarded(ordinal int32) bool {
	return v.Guard && !v.Emptying() && !v.Ordinals.IsReserved(ordinal)
}

// Wanted reports whether the pod of an ordinal stays, and its claims with it.
func (v *View) Wanted(ordinal int32) bool {
	_, inRange := v.SlotOf(ordinal)
	return inRange || v.Guarded(ordinal)
}

// OutsideAtCurrent counts the replicas outside the range at the current revision, if they may stay for a while: the guard keeps them, or,
// with reserved ordinals, they stay until their replacements are available.
func (v *View) OutsideAtCurrent() (count int) {
	if !v.Guard && !v.Ordinals.HasGaps() {
		return 0
	}
	for _, m := range v.Condemned {
		if !m.Pod.Terminating() && m.Pod.Revision == v.Current.Name {
			count++
		}
	}
	return count
}
