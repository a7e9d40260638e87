package engine

import (
	"math"
	"math/bits"
	"sort"

	"github.com/setplan/setplan/engine/jsontree"
)

// Meter limits the work of one decision. Work is counted, in units of an object looked at, a name compared or some bytes copied, and never
// timed: the same snapshot takes the same work everywhere.
type Meter struct {
	// MaxWork is the limit; 0 is the default. A decision that would exceed it ends there: the plan has the stages that were complete, and says
	// that it was cut.
	MaxWork int
	// Stop is called many times in ten milliseconds; once it returns true there is no plan. Nil: never.
	Stop func() bool

	parts [parts]int // work so far, by what it was done for
	total int
	next  int // at this total Stop is asked again
	end   ending
}

// DefaultWork is twice what a set of 100,000 pods and claims takes, be they made, drained or taken away: under a second on any
// machine of these days.
const DefaultWork = 10_000_000

// workAtOnce is the work between two looks at Stop, and turnsAtOnce the turns of a loop whose work was counted before it.
const (
	workAtOnce  = 2048
	turnsAtOnce = 1024
)

// Work is what the decision has taken.
func (m *Meter) Work() int { return m.total }

// ending says how a decision ended; it is what ends one from within.
type ending uint8

const (
	_ ending = iota
	cutShort
	stopped
)

// part is what work is done for: the field to blame if it is too much.
type part uint8

const (
	partPods part = iota
	partClaims
	partRevisions
	partReplicas
	partOutcomes
	partSelector
	partTemplate
	partClaimTemplates
	partRevisionData
	partDrain
	partFinalizers
	partConditions
	partAnnotations
	parts
)

// work counts units before or while they are done. It ends the decision if there are too many, or if Stop says so.
func (m *Meter) work(p part, units int) {
	m.parts[p] += units
	if m.total += units; m.total >= m.next {
		m.look()
	}
}

// workAlong counts for the turns of a loop over n elements, many turns at once: counting each by itself would cost as much as
// some of them take.
func (m *Meter) workAlong(p part, units, turn, n int) {
	if turn%countedAtOnce == 0 {
		m.workAhead(p, units, n-turn)
	}
}

func (m *Meter) workAhead(p part, units, left int) { m.work(p, units*min(countedAtOnce, left)) }

const countedAtOnce = 256

func (m *Meter) look() {
	most := m.MaxWork
	if most == 0 {
		most = DefaultWork
	}
	switch {
	case m.Stop != nil && m.Stop():
		m.end = stopped
	case m.total > most:
		m.end = cutShort
	default:
		m.next = min(m.total+workAtOnce, most+1)
		return
	}
	m.next = math.MaxInt // from here on only the end is reported
	panic(m.end)
}

// blame names the part that took most of the work.
func (m *Meter) blame() string {
	worst := part(0)
	for p, units := range m.parts {
		if units > m.parts[worst] {
			worst = part(p)
		}
	}
	return partNames[worst]
}

// pause looks at Stop on a turn of a long loop whose work was counted before it.
func (m *Meter) pause(turn int) {
	if turn%turnsAtOnce == turnsAtOnce-1 {
		m.look()
	}
}

// counting is for work on JSON.
func (m *Meter) counting(p part) jsontree.Count {
	return jsontree.Count{Counter: (*jsonMeter)(m), Part: uint8(p)}
}

// jsonMeter is a Meter that is told of work on JSON.
type jsonMeter Meter

// Count implements jsontree.Counter: no units ask for a look.
func (m *jsonMeter) Count(p uint8, units int) {
	if units == 0 {
		(*Meter)(m).look()
	}
	(*Meter)(m).work(part(p), units)
}

// sortList sorts, counted by formula: how many comparisons it takes depends on the order that the list happens to have. Four
// of them are a unit. It is sort.Slice, because each kind of list would have its own slices.SortFunc, 20 kB in setplan.wasm.
func sortList[T any](m *Meter, p part, list []T, compare func(a, b T) int) {
	if len(list) < 2 {
		return
	}
	m.work(p, len(list)*bits.Len(uint(len(list)))/4)
	turn := 0
	sort.Slice(list, func(i, j int) bool {
		turn++
		m.pause(turn)
		return compare(list[i], list[j]) < 0
	})
}
