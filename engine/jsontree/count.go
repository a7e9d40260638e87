package jsontree

import (
	"math/bits"
	"slices"
	"strings"
)

// Count tells a Counter of work while it is done. The zero Count counts for nobody.
type Count struct {
	Counter Counter
	Part    uint8 // what the work is part of, for the Counter
}

// Tell passes units on to the Counter.
func (c Count) Tell(units int) {
	if c.Counter != nil {
		c.Counter.Count(c.Part, units)
	}
}

// Counter is told of work. A unit is a value that is read, written or compared, or bytesPerUnit bytes of text. No units ask whether to go on with
// work that was told before. It may end the work by a panic.
type Counter interface{ Count(part uint8, units int) }

const (
	bytesPerUnit = 64
	// unitsAtOnce is how much is done before Count is told: little enough for a deadline, much enough to cost nothing.
	unitsAtOnce = 1024
	// bytesAtOnce is the same for text.
	bytesAtOnce = unitsAtOnce * bytesPerUnit
)

// tally adds up units for a Count.
type tally struct {
	count Count
	units int
}

func (t *tally) add(units int) {
	if t.units += units; t.units >= unitsAtOnce {
		t.settle()
	}
}

func (t *tally) settle() {
	if t.units > 0 {
		t.count.Tell(t.units)
	}
	t.units = 0
}

// pause asks whether to go on, on a turn of a loop whose work was told before it.
func (t *tally) pause(turn int) {
	if turn%unitsAtOnce == unitsAtOnce-1 {
		t.count.Tell(0)
	}
}

// sorted returns members in the order of their keys; it does not change the list that it is given.
func (t *tally) sorted(members []Member) []Member {
	// Counted by formula: how many comparisons it takes depends on the order that the members happen to have.
	t.add(len(members) * bits.Len(uint(len(members))))
	turn := 0
	byKey := func(a, b Member) int {
		turn++
		t.pause(turn)
		return strings.Compare(a.Key, b.Key)
	}
	if !slices.IsSortedFunc(members, byKey) {
		members = slices.Clone(members)
		slices.SortFunc(members, byKey)
	}
	return members
}
