package engine

import (
	"math"

	"github.com/setplan/setplan/engine/ordinals"
)

// readOrdinals reads which ordinals a set has, and what it asks for about their pods. It returns false if the ordinals cannot be known: any
// guess would create or delete pods. A set that another controller runs asks for nothing.
func readOrdinals(v *view, out *draft) bool {
	v.ordinals, _ = ordinals.New(v.set.OrdinalsStart, "")
	if v.s.Policy.WholeSet() && !readPodPolicies(v, out) {
		return false
	}
	if last := v.ordinals.At(int(v.set.Replicas) - 1); v.set.Replicas > 0 && last > math.MaxInt32 {
		out.block(blockLastOrdinal(v.set, last))
		return false
	}
	return true
}

// readPodPolicies reads the scale-in guard, the pause, the ranks of pods, the limit of a scale-up, the gates of updates, whether disruption budgets are respected, what is updated in
// place, and the ordinals that are reserved.
func readPodPolicies(v *view, out *draft) bool {
	if !readOwnFields(v, out) {
		return false
	}
	if v.asksNothing() {
		return true
	}
	v.guard, v.paused = readGuard(v, out), readPause(v, out)
	v.ranking, v.scaleUpLimit = readRanking(v, out), readScaleUpLimit(v, out)
	v.gates, v.inPlace = readGates(v), readInPlace(v, out)
	readResizePolicies(v, out)
	readBudgets(v, out)
	reserved := v.asks(annotationReserved)
	list, err := ordinals.New(v.set.OrdinalsStart, reserved.text)
	if err != nil {
		out.block(blockInvalidReserved(v.set, reserved, err))
		return false
	}
	v.ordinals = list
	return true
}

// readGuard reports whether only pods of reserved ordinals may leave the set. An unknown text counts as yes.
func readGuard(v *view, out *draft) bool {
	guard := v.asks(annotationGuard)
	if guard.text != "" && guard.text != "named" {
		out.block(blockInvalidGuard(v.set, guard))
	}
	return guard.text != ""
}

// guarded reports whether the guard keeps the pod of an ordinal outside the range: the ordinal is not reserved, and the set is not being
// emptied.
func (v *view) guarded(ordinal int32) bool {
	return v.guard && !v.emptying() && !v.ordinals.IsReserved(ordinal)
}

// wanted reports whether the pod of an ordinal stays, and its claims with it.
func (v *view) wanted(ordinal int32) bool {
	_, inRange := v.slotOf(ordinal)
	return inRange || v.guarded(ordinal)
}

// outsideAtCurrent counts the replicas outside the range at the current revision, if they may stay for a while: the guard keeps them, or,
// with reserved ordinals, they stay until their replacements are available.
func (v *view) outsideAtCurrent() (count int) {
	if !v.guard && !v.ordinals.HasGaps() {
		return 0
	}
	for _, m := range v.condemned {
		if !m.pod.Terminating() && m.pod.Revision == v.current.name {
			count++
		}
	}
	return count
}
