package kube

import (
	"sync"
	"time"

	"github.com/setplan/setplan/adapters"
)

// spareWorkers are added to the configured number for namespaces that have no pass under way. A namespace that holds all other workers
// gets none of them.
const spareWorkers = 2

// Lanes decides whose pass may begin. Sets that keep failing or take long share a few of the workers, so that the rest is free
// for the others. So do the sets of a namespace that has recently had more than its share.
type Lanes struct {
	workers, slow int
	queue         func(adapters.Key)

	mu      sync.Mutex
	running map[string]int // passes by namespace
	working map[adapters.Key]bool
	all     int
	slowOf  int // passes in the lane of the slow
	parked  [2]parking
	shares  shares
}

// parking holds sets that wait: the first list for the slow lane, the second for any worker.
type parking struct {
	order rounds[adapters.Key]
	known map[adapters.Key]bool
}

// NewLanes makes lanes for a number of workers. Sets that could not begin come back through queue.
func NewLanes(workers int, queue func(adapters.Key)) *Lanes {
	l := &Lanes{workers: workers, slow: max(1, workers*2/5), queue: queue, running: map[string]int{}, working: map[adapters.Key]bool{},
		shares: shares{of: map[string]share{}}}
	for i := range l.parked {
		l.parked[i].known = map[adapters.Key]bool{}
	}
	return l
}

// lane is where a pass takes place.
type lane struct {
	key   adapters.Key
	slow  bool
	began time.Time
}

// begin reports whether a pass may begin, and in which lane. If it may, end must follow. If not, the set is queued again when that may
// have changed.
func (l *Lanes) begin(key adapters.Key, slow bool) (in lane, may bool) {
	now := time.Now()
	l.mu.Lock()
	slow = slow || l.shares.heavy(key.Namespace, now)
	switch {
	case slow && l.slowOf >= l.slow:
		l.parked[0].add(key)
		var next adapters.Key
		free := l.all < l.workers
		if free { // the set may have been woken for that worker, which it may not use
			next, free = l.take(1)
		}
		l.mu.Unlock()
		if free {
			l.queue(next)
		}
		return lane{}, false
	case l.all >= l.workers && (slow || l.running[key.Namespace] > 0):
		l.parked[1].add(key)
		l.mu.Unlock()
		return lane{}, false
	}
	l.all++
	l.running[key.Namespace]++
	l.working[key] = true
	if slow {
		l.slowOf++
	}
	l.mu.Unlock()
	return lane{key: key, slow: slow, began: now}, true
}

// end is called when a pass has ended, with what begin returned.
func (l *Lanes) end(in lane) {
	now := time.Now()
	l.mu.Lock()
	l.all--
	if l.running[in.key.Namespace]--; l.running[in.key.Namespace] == 0 {
		delete(l.running, in.key.Namespace)
	}
	delete(l.working, in.key)
	if in.slow {
		l.slowOf--
	}
	l.shares.add(in.key.Namespace, in.began, now)
	var again []adapters.Key
	for i := range l.parked {
		if i == 0 && l.slowOf >= l.slow {
			continue
		}
		// One set for the free worker, and one more of the slow after a pass that was not slow: its namespace may no longer be heavy. All
		// sets if no pass is left that would call end.
		most := 1
		if i == 0 && !in.slow {
			most = 2
		}
		for taken := 0; taken < most || l.all == 0; taken++ {
			key, waits := l.take(i)
			if !waits {
				break
			}
			again = append(again, key)
		}
	}
	l.mu.Unlock()
	for _, key := range again {
		l.queue(key)
	}
}

func (p *parking) add(key adapters.Key) {
	if !p.known[key] {
		p.known[key] = true
		p.order.push(key, key)
	}
}

// take takes the first set that still waits. A set that was queued by news and has a worker by now no longer waits: waking it would
// waste the wake-up.
func (l *Lanes) take(i int) (key adapters.Key, waits bool) {
	p := &l.parked[i]
	for p.order.size > 0 && !waits {
		key = p.order.pop()
		delete(p.known, key)
		waits = !l.working[key]
	}
	return key, waits
}
