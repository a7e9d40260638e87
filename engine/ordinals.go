package engine

import (
	"cmp"
	"sort"
)

// ordinals holds which ordinals a set may have: every one from the start on that is not reserved. The range is the first spec.replicas
// of them. The zero value starts at 0 and reserves none.
type ordinals struct {
	start    int32
	reserved []span // from the start on
	under    []span // below the start: never in the range, but the guard has to know them
	gaps     bool   // reserved is not empty
}

// span is a run of reserved ordinals, both ends included. The spans of a list ascend, and no two touch.
type span struct {
	from, to int64
	before   int64 // how many ordinals the spans before it in the list hold
}

// at returns the ordinal of a slot. One beyond math.MaxInt32 fits no pod's name.
func (o *ordinals) at(slot int) int64 {
	first := int64(o.start) + int64(slot)
	if o.gaps {
		return o.atFree(first)
	}
	return first
}

// atFree returns the ordinal of a slot; first is the ordinal that the slot would have if none were reserved.
func (o *ordinals) atFree(first int64) int64 {
	// A span shifts the slot unless more free ordinals are below the span than below the slot.
	n := sort.Search(len(o.reserved), func(i int) bool { return o.reserved[i].from-o.reserved[i].before > first })
	return first + heldBy(o.reserved[:n])
}

// slotOf returns the place of an ordinal among those that are not reserved; negative means that it has none.
func (o *ordinals) slotOf(ordinal int32) int {
	if o.gaps {
		return o.slotAmongFree(ordinal)
	}
	return int(ordinal) - int(o.start)
}

func (o *ordinals) slotAmongFree(ordinal int32) int {
	if ordinal < o.start || o.isReserved(ordinal) {
		return -1
	}
	return o.below(int64(ordinal))
}

// below counts the ordinals from the start up to one, without it, that are not reserved.
func (o *ordinals) below(ordinal int64) int {
	n := sort.Search(len(o.reserved), func(i int) bool { return o.reserved[i].from >= ordinal })
	reserved := heldBy(o.reserved[:n])
	if n > 0 {
		reserved -= max(0, o.reserved[n-1].to+1-ordinal) // the last span may extend beyond it
	}
	return int(max(0, ordinal-int64(o.start)-reserved))
}

// heldBy counts the ordinals in the first spans of a list.
func heldBy(spans []span) int64 {
	if len(spans) == 0 {
		return 0
	}
	last := spans[len(spans)-1]
	return last.before + last.to + 1 - last.from
}

func (o *ordinals) isReserved(ordinal int32) bool {
	spans := o.reserved
	if ordinal < o.start {
		spans = o.under
	}
	n := sort.Search(len(spans), func(i int) bool { return spans[i].to >= int64(ordinal) })
	return n < len(spans) && spans[n].from <= int64(ordinal)
}

// reserve sorts and merges the spans, and splits them at the start.
func (o *ordinals) reserve(list []span) {
	sortList(list, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	start := int64(o.start)
	for _, s := range list {
		o.under = join(o.under, span{from: s.from, to: min(s.to, start-1)})
		o.reserved = join(o.reserved, span{from: max(s.from, start), to: s.to})
	}
	o.gaps = len(o.reserved) > 0
}

// join appends a span that begins no earlier than the last one, or extends the last one if they touch. An empty span changes nothing.
func join(spans []span, s span) []span {
	n := len(spans)
	switch {
	case s.to < s.from:
	case n > 0 && s.from <= spans[n-1].to+1:
		spans[n-1].to = max(spans[n-1].to, s.to)
	default:
		s.before = heldBy(spans)
		spans = append(spans, s)
	}
	return spans
}
