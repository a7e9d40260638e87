package engine

import (
	"cmp"
	"sort"
)

// ordinals are those that a set may have: all from the start on that are not reserved. The range is the first spec.replicas of them.
// The zero value has no reserved ones and starts at 0.
type ordinals struct {
	start    int32
	reserved []span // from the start on, ascending; no two of them touch
}

// span is a row of reserved ordinals, both ends included.
type span struct {
	from, to int64
	before   int64 // reserved ordinals from the start to here
}

// at is the ordinal of a slot. Beyond math.MaxInt32 no pod's name can have it.
func (o *ordinals) at(slot int) int64 {
	first := int64(o.start) + int64(slot)
	// A span moves the slot if as many free ordinals stand below it as the slot has below itself.
	n := sort.Search(len(o.reserved), func(i int) bool { return o.reserved[i].from-o.reserved[i].before > first })
	return first + o.reservedIn(n)
}

// slotOf is the place of an ordinal among those that are not reserved.
func (o *ordinals) slotOf(ordinal int32) (slot int, ok bool) {
	if o.isReserved(ordinal) {
		return 0, false
	}
	return o.below(int64(ordinal)), ordinal >= o.start
}

// below is how many ordinals stand below one that are not reserved.
func (o *ordinals) below(ordinal int64) int {
	n := sort.Search(len(o.reserved), func(i int) bool { return o.reserved[i].from >= ordinal })
	reserved := o.reservedIn(n)
	if n > 0 {
		reserved -= max(0, o.reserved[n-1].to+1-ordinal) // the last one may reach beyond
	}
	return int(max(0, ordinal-int64(o.start)-reserved))
}

// reservedIn is how many ordinals the first spans hold.
func (o *ordinals) reservedIn(spans int) int64 {
	if spans == 0 {
		return 0
	}
	last := o.reserved[spans-1]
	return last.before + last.to + 1 - last.from
}

func (o *ordinals) isReserved(ordinal int32) bool {
	n := sort.Search(len(o.reserved), func(i int) bool { return o.reserved[i].to >= int64(ordinal) })
	return n < len(o.reserved) && o.reserved[n].from <= int64(ordinal)
}

// reserve sorts the spans and joins those that touch.
func (o *ordinals) reserve(m *Meter, list []span) {
	sortList(m, partAnnotations, list, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	held := int64(0)
	for _, s := range list {
		s.from = max(s.from, int64(o.start))
		if s.to < s.from {
			continue // below the start
		}
		if n := len(o.reserved); n > 0 && s.from <= o.reserved[n-1].to+1 {
			last := &o.reserved[n-1]
			held += max(0, s.to-last.to)
			last.to = max(last.to, s.to)
			continue
		}
		s.before = held
		held += s.to + 1 - s.from
		o.reserved = append(o.reserved, s)
	}
}
