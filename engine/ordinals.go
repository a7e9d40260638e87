package engine

import (
	"cmp"
	"sort"
)

// ordinals are those that a set may have: all from the start on that are not reserved. The range is the first spec.replicas of them.
// The zero value has no reserved ones and starts at 0.
type ordinals struct {
	start    int32
	reserved []span // from the start on
	under    []span // below the start: they are no part of the range, but named all the same
	gaps     bool   // there are reserved ones
}

// span is a row of reserved ordinals, both ends included. In a list they ascend, and no two of them touch.
type span struct {
	from, to int64
	before   int64 // how many the spans before it in the list hold
}

// at is the ordinal of a slot. Beyond math.MaxInt32 no pod's name can have it.
func (o *ordinals) at(slot int) int64 {
	first := int64(o.start) + int64(slot)
	if o.gaps {
		return o.atFree(first)
	}
	return first
}

// atFree is the ordinal of a slot that would be first if none were reserved.
func (o *ordinals) atFree(first int64) int64 {
	// A span moves the slot if as many free ordinals stand below it as the slot has below itself.
	n := sort.Search(len(o.reserved), func(i int) bool { return o.reserved[i].from-o.reserved[i].before > first })
	return first + heldBy(o.reserved[:n])
}

// slotOf is the place of an ordinal among those that are not reserved; negative: it has none.
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

// below is how many ordinals stand below one that are not reserved.
func (o *ordinals) below(ordinal int64) int {
	n := sort.Search(len(o.reserved), func(i int) bool { return o.reserved[i].from >= ordinal })
	reserved := heldBy(o.reserved[:n])
	if n > 0 {
		reserved -= max(0, o.reserved[n-1].to+1-ordinal) // the last one may reach beyond
	}
	return int(max(0, ordinal-int64(o.start)-reserved))
}

// heldBy is how many ordinals the first spans of a list hold.
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

// reserve sorts the spans, and cuts one at the start.
func (o *ordinals) reserve(m *Meter, list []span) {
	sortList(m, partAnnotations, list, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	start := int64(o.start)
	for _, s := range list {
		o.under = join(o.under, span{from: s.from, to: min(s.to, start-1)})
		o.reserved = join(o.reserved, span{from: max(s.from, start), to: s.to})
	}
	o.gaps = len(o.reserved) > 0
}

// join appends a span that begins no earlier than the last one, or lengthens that where they touch. An empty span changes nothing.
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
