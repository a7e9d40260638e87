package engine

import "math"

// readOrdinals reads which ordinals a set has. It returns false where that cannot be known: each reading of a bad text would make
// pods or delete them. Whoever runs a set beside us reserves nothing.
func readOrdinals(v *view, out *draft) bool {
	v.ordinals.start = v.set.OrdinalsStart
	if v.s.Policy.wholeSet() {
		if !readOwnFields(v, out) {
			return false
		}
		v.guard, v.paused = readGuard(v, out), readPause(v, out)
		if reserved := v.asks(annotationReserved); reserved.text != "" {
			list, err := parseReserved(v.meter, reserved.text)
			if err != nil {
				out.block(blockInvalidReserved(v.set, reserved, err))
				return false
			}
			v.ordinals.reserve(v.meter, list)
		}
	}
	if last := v.ordinals.at(int(v.set.Replicas) - 1); v.set.Replicas > 0 && last > math.MaxInt32 {
		out.block(blockLastOrdinal(v.set, last))
		return false
	}
	return true
}

// readGuard reads whether only reserved pods may be taken away. A text that nobody knows guards.
func readGuard(v *view, out *draft) bool {
	guard := v.asks(annotationGuard)
	if guard.text != "" && guard.text != "named" {
		out.block(blockInvalidGuard(v.set, guard))
	}
	return guard.text != ""
}

// guarded reports whether the pod of an ordinal outside the range stays, because nobody has named it. A set that is deleted names all.
func (v *view) guarded(ordinal int32) bool {
	return v.guard && !v.emptying() && !v.ordinals.isReserved(ordinal)
}

// wanted reports whether the pod of an ordinal is to stay, and its claims with it.
func (v *view) wanted(ordinal int32) bool {
	_, inRange := v.slotOf(ordinal)
	return inRange || v.guarded(ordinal)
}

// outsideAtCurrent counts the replicas outside the range at the current revision where one may stay for a while: the guard keeps it, or it
// is there until the one that replaces it is.
func (v *view) outsideAtCurrent() (count int) {
	if !v.guard && !v.ordinals.gaps {
		return 0
	}
	for _, m := range v.condemned {
		v.meter.work(partPods, 1)
		if !m.pod.terminating() && m.pod.Revision == v.current.name {
			count++
		}
	}
	return count
}
