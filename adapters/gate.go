package adapters

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// gate remembers, per set, the writes that the caches do not show yet. A snapshot without them would make the planner repeat itself: create a
// pod twice, or delete a second one during an update.
//
// It never opens with a cache that is known to be behind, however long that takes. A write that no cache will ever show,
// because the object was gone or changed again before anybody looked and the cache cannot compare versions, holds the set
// no longer than it takes to read the object itself and to find it as the cache has it.
//
// A write with an unknown result is one of those: no version tells when the cache shows it.
type gate struct {
	timeout time.Duration
	clock   Clock

	mu      sync.Mutex
	pending map[Key][]pendingWrite
	waiting map[Key]bool // the last check found the gate closed
}

type pendingWrite struct {
	write Write
	since time.Time
	read  time.Time // the last look at the object itself; at first as since

	unanswered bool // nobody knows whether it was carried out
}

func newGate(timeout time.Duration, clock Clock) *gate {
	return &gate{timeout: timeout, clock: clock, pending: map[Key][]pendingWrite{}, waiting: map[Key]bool{}}
}

// add registers a finished write. Parallel steps of a stage call it.
func (g *gate) add(key Key, write Write) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pending[key] = append(g.pending[key], pendingWrite{write: write, since: g.clock(), read: g.clock()})
}

// addUnanswered registers a write with an unknown result.
func (g *gate) addUnanswered(key Key, write Write) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pending[key] = append(g.pending[key], pendingWrite{write: write, since: g.clock(), read: g.clock(), unanswered: true})
}

// check drops what was observed, and what current says cannot be shown any more. It asks current about one overdue write at most, and
// about each once in a timeout; about unanswered writes it asks each time, until one differs from the cache. waiting describes the first
// write that is left, late the one that current was asked about in vain; retry is when to look again. Only the reconcile of the key calls
// check, so nothing is added meanwhile.
func (g *gate) check(key Key, observed func(Write) bool, current func(Write) error) (retry time.Duration, waiting, late error) {
	g.mu.Lock()
	pending := g.pending[key]
	g.mu.Unlock()

	now := g.clock()
	var left []pendingWrite
	asked := false
	for _, p := range pending {
		if !p.unanswered && observed(p.write) {
			continue
		}
		if overdue := now.Sub(p.read) >= g.timeout; !asked && (overdue || p.unanswered) {
			err := current(p.write)
			asked = err != nil || !p.unanswered
			if overdue {
				p.read = now
			}
			if err == nil {
				continue
			}
			if overdue {
				late = fmt.Errorf("%w for %s: %w", unseen(p.write), now.Sub(p.since), err)
			}
		}
		if waiting == nil {
			waiting, retry = unseen(p.write), now.Sub(p.since)/4
		}
		left = append(left, p)
	}

	g.mu.Lock()
	defer g.mu.Unlock()
	if len(left) == 0 {
		delete(g.pending, key)
		delete(g.waiting, key)
	} else {
		g.pending[key] = left
		g.waiting[key] = true
	}
	return retry, waiting, late
}

// echo reports whether changes are effects of pending writes, each of them, and no check waits for those.
func (g *gate) echo(key Key, changes []Write) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.waiting[key] {
		return false
	}
	for _, change := range changes {
		if !slices.ContainsFunc(g.pending[key], func(p pendingWrite) bool { return p.write.shownBy(change) }) {
			return false
		}
	}
	return true
}

// shownBy reports whether a change is the effect of the write, and nothing later.
func (w Write) shownBy(change Write) bool {
	if w.Deleted {
		change.ResourceVersion = ""
	}
	return w == change
}

func (g *gate) forget(key Key) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.pending, key)
	delete(g.waiting, key)
}

func unseen(write Write) error { return Unseen{write} }

// Unseen says why a pass is postponed: the caches do not show a write.
type Unseen struct{ Write Write }

func (u Unseen) Error() string {
	verb := "write"
	if u.Write.Deleted {
		verb = "delete"
	}
	return fmt.Sprintf("the cache has not shown the %s of %s %s", verb, u.Write.Kind, u.Write.Name)
}
