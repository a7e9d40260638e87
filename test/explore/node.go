package explore

import (
	"cmp"
	"math/bits"
)

// flight is a plan that is being applied. The plan itself follows from the view.
type flight struct {
	view packed // none: no flight
	done uint32 // by write: done, failed, or left out because of a failure
	same uint32 // objects of the view that are still the same; see the masks below
	lag  uint8  // writes of others since the view
}

// Which objects of a view are unchanged, as far as a precondition can tell. A changed object never counts as unchanged again, because
// uids are never reused and resource versions only grow.
const (
	allSame  = 1<<(4*maxOrdinals+2*revisionCount+1) - 1
	setKept  = 1 << (3*maxOrdinals + 2*revisionCount) // resource version of the set
	podsKept = allSame &^ (2*setKept - 1)
)

func podSame(i int) uint32      { return 1 << i }
func podKept(i int) uint32      { return 1 << (3*maxOrdinals + 2*revisionCount + 1 + i) } // resource version
func podGone(i int) uint32      { return podSame(i) | podKept(i) }
func claimSame(i int) uint32    { return 1 << (maxOrdinals + i) }
func claimKept(i int) uint32    { return 1 << (2*maxOrdinals + i) } // resource version
func revSame(r revision) uint32 { return 1 << (3*maxOrdinals + int(r) - 1) }
func revKept(r revision) uint32 { return 1 << (3*maxOrdinals + revisionCount + int(r) - 1) } // resource version
func claimGone(i int) uint32    { return claimSame(i) | claimKept(i) }
func revGone(r revision) uint32 { return revSame(r) | revKept(r) }

// node is a state of the search.
type node struct {
	truth         packed
	flights       [2]flight
	edits, faults uint8 // how many may still happen
	restless      bool  // the environment has moved while a plan was in flight
}

// canonical sorts the flights, and clears restless when none is left.
func (n node) canonical() node {
	a, b := &n.flights[0], &n.flights[1]
	if cmp.Or(a.view.compare(b.view), cmp.Compare(a.done, b.done), cmp.Compare(a.same, b.same), cmp.Compare(a.lag, b.lag)) < 0 {
		*a, *b = *b, *a
	}
	if a.view.none() {
		n.restless = false
	}
	return n
}

// moved returns the node after a write to the truth. changed says which objects have changed. by is the flight that wrote; -1 is the
// environment. It returns false if a plan would become older than the bounds allow. Dropping such a plan is another step.
func (n node) moved(truth packed, changed uint32, by int, maxLag uint8) (node, bool) {
	n.truth = truth
	for i := range n.flights {
		f := &n.flights[i]
		if f.view.none() {
			continue
		}
		f.same &^= changed
		if i == by {
			continue
		}
		if f.lag++; f.lag > maxLag {
			return n, false
		}
		n.restless = n.restless || by < 0
	}
	return n, true
}

// key identifies a node. 128 bits are assumed to have no collisions: with a billion states the odds are below one in 10^20.
type key [2]uint64

func (n *node) key() key {
	flags := uint64(n.edits) | uint64(n.faults)<<8 | uint64(n.flights[0].lag)<<16 | uint64(n.flights[1].lag)<<24
	if n.restless {
		flags |= 1 << 32
	}
	truth, first, second := &n.truth, &n.flights[0].view, &n.flights[1].view
	words := [...]uint64{truth[0], truth[1], truth[2], first[0], first[1], first[2], second[0], second[1], second[2], flags,
		uint64(n.flights[0].done) | uint64(n.flights[0].same)<<32, uint64(n.flights[1].done) | uint64(n.flights[1].same)<<32}
	k := key{0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f}
	for _, w := range words {
		hi, lo := bits.Mul64(k[0]^w, 0xa0761d6478bd642f)
		k[0] = hi ^ lo ^ bits.RotateLeft64(w, 23)
		hi, lo = bits.Mul64(k[1]^bits.RotateLeft64(w, 31), 0xe7037ed1a0b428db)
		k[1] = hi ^ lo + w
	}
	return k
}
