package adapters

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// gate remembers, per set, the writes that the caches have not shown yet. A snapshot taken before they have would make
// the planner repeat itself: create a pod twice, or delete a second one during an update.
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
}

func newGate(timeout time.Duration, clock Clock) *gate {
	return &gate{timeout: timeout, clock: clock, pending: map[Key][]pendingWrite{}, waiting: map[Key]bool{}}
}

// add registers a finished write. Steps of a stage call it side by side.
func (g *gate) add(key Key, write Write) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pending[key] = append(g.pending[key], pendingWrite{write: write, since: g.clock()})
}

// check drops what was observed and what is too old. waiting describes the first write that is neither; expired the
// first that was too old. Only the reconcile of the key calls it, so nothing is added meanwhile.
func (g *gate) check(key Key, observed func(Write) bool) (waiting, expired error) {
	g.mu.Lock()
	pending := g.pending[key]
	g.mu.Unlock()

	now := g.clock()
	var left []pendingWrite
	for _, p := range pending {
		switch {
		case observed(p.write):
		case now.Sub(p.since) >= g.timeout:
			if expired == nil {
				expired = unseen(p.write)
			}
		default:
			if waiting == nil {
				waiting = unseen(p.write)
			}
			left = append(left, p)
		}
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
	return waiting, expired
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

// shownBy reports whether a change is what the write did, and nothing that came after it.
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

// Unseen is why a pass is put off: the caches have not shown a write.
type Unseen struct{ Write Write }

func (u Unseen) Error() string {
	verb := "write"
	if u.Write.Deleted {
		verb = "delete"
	}
	return fmt.Sprintf("the cache has not shown the %s of %s %s", verb, u.Write.Kind, u.Write.Name)
}
