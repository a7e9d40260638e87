// Package ordinals says which ordinals a set has.
package ordinals

import (
	"slices"
	"sort"
)

// Range holds which ordinals a set may have: every one from the start on that is not reserved. The set has the first spec.replicas of them. The zero value
// starts at 0 and reserves none.
type Range struct {
	start    int32
	reserved []span // from the start on
	under    []span // below the start: never in the range, but the guard has to know them
}

// New makes a range that starts at an ordinal. reserved lists the ordinals that are left out, as "1,3-5", or as a JSON list, [1,"3-5"], as Kruise and
// PingCAP write it; empty: none. The error says what is wrong with the list.
func New(start int32, reserved string) (Range, error) {
	r := Range{start: start}
	if reserved == "" {
		return r, nil
	}
	list, err := parse(reserved)
	r.reserve(list)
	return r, err
}

// HasGaps reports whether an ordinal from the start on is reserved.
func (r *Range) HasGaps() bool { return len(r.reserved) > 0 }

// Equal reports whether two ranges have the same ordinals from their start on.
func (r *Range) Equal(other *Range) bool {
	return r.start == other.start && slices.Equal(r.reserved, other.reserved)
}

// span is a run of reserved ordinals, both ends included. The spans of a list ascend, and no two touch.
type span struct {
	from, to int64
	before   int64 // how many ordinals the spans before it in the list hold
}

// At returns the ordinal of a slot, which is a place in the range, from 0 on. One beyond math.MaxInt32 fits no pod's name.
func (r *Range) At(slot int) int64 {
	first := int64(r.start) + int64(slot) // if none were reserved
	if !r.HasGaps() {
		return first
	}
	// A span shifts the slot unless more free ordinals are below the span than below the slot.
	n := sort.Search(len(r.reserved), func(i int) bool { return r.reserved[i].from-r.reserved[i].before > first })
	return first + heldBy(r.reserved[:n])
}

// SlotOf returns the place of an ordinal among those that are not reserved; negative means that it has none.
func (r *Range) SlotOf(ordinal int32) int {
	if ordinal < r.start || r.HasGaps() && r.IsReserved(ordinal) {
		return -1
	}
	return r.Below(int64(ordinal))
}

// Below counts the ordinals from the start up to one, without it, that are not reserved.
func (r *Range) Below(ordinal int64) int {
	if !r.HasGaps() {
		return int(max(0, ordinal-int64(r.start)))
	}
	n := sort.Search(len(r.reserved), func(i int) bool { return r.reserved[i].from >= ordinal })
	reserved := heldBy(r.reserved[:n])
	if n > 0 {
		reserved -= max(0, r.reserved[n-1].to+1-ordinal) // the last span may extend beyond it
	}
	return int(max(0, ordinal-int64(r.start)-reserved))
}

// heldBy counts the ordinals in the first spans of a list.
func heldBy(spans []span) int64 {
	if len(spans) == 0 {
		return 0
	}
	last := spans[len(spans)-1]
	return last.before + last.to + 1 - last.from
}

// IsReserved reports whether an ordinal is left out, below the start too.
func (r *Range) IsReserved(ordinal int32) bool {
	spans := r.reserved
	if ordinal < r.start {
		spans = r.under
	}
	n := sort.Search(len(spans), func(i int) bool { return spans[i].to >= int64(ordinal) })
	return n < len(spans) && spans[n].from <= int64(ordinal)
}

// reserve sorts and merges the spans, and splits them at the start.
func (r *Range) reserve(list []span) {
	sort.Slice(list, func(i, j int) bool { return list[i].from < list[j].from })
	start := int64(r.start)
	for _, s := range list {
		r.under = join(r.under, span{from: s.from, to: min(s.to, start-1)})
		r.reserved = join(r.reserved, span{from: max(s.from, start), to: s.to})
	}
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
