package kube

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/setplan/setplan/adapters"
)

// The budget that failing sets share.
const (
	retriesASecond = 10
	retriesAtOnce  = 100
)

// retryBudget hands out the passes that failing sets share. Namespaces take turns; within a namespace, sets go in the order in which they
// asked. So beside a namespace with a thousand failing sets, the only one of another namespace is next, and each of the thousand gets a
// turn before any gets a second.
type retryBudget struct {
	bucket *rate.Limiter
	wake   func(adapters.Key) // called when the turn of a set has come

	mu      sync.Mutex
	waiting rounds[adapters.Key]
	turns   map[adapters.Key]bool // by set that has asked: whether its turn has come
	armed   bool                  // the timer that calls hand is set
}

func newRetryBudget() *retryBudget {
	return &retryBudget{bucket: rate.NewLimiter(retriesASecond, retriesAtOnce), wake: func(adapters.Key) {}, turns: map[adapters.Key]bool{}}
}

// take reports whether a set may begin a pass now. If not, wake is called once it may. A set that asks again meanwhile keeps its
// place.
func (b *retryBudget) take(key adapters.Key) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, asked := b.turns[key]; !asked {
		if b.waiting.size == 0 && b.bucket.Allow() {
			return true
		}
		b.turns[key] = false
		b.waiting.push(key, key)
		b.arm()
	}
	if !b.turns[key] {
		return false
	}
	delete(b.turns, key)
	return true
}

// keep gives a turn back to the set that took it, for its next try.
func (b *retryBudget) keep(key adapters.Key) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turns[key] = true
}

// leave gives up the place or the turn of a set that no longer needs it.
func (b *retryBudget) leave(key adapters.Key) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.turns, key)
}

// arm sets the timer for the next turn.
func (b *retryBudget) arm() {
	if b.armed || b.waiting.size == 0 {
		return
	}
	b.armed = true
	next := b.bucket.Reserve()
	wait := next.Delay()
	next.Cancel()
	time.AfterFunc(wait, b.hand)
}

// hand gives out as many turns as the bucket has.
func (b *retryBudget) hand() {
	b.mu.Lock()
	b.armed = false
	var come []adapters.Key
	for b.waiting.size > 0 && b.bucket.Allow() {
		if key, waits := b.next(); waits {
			b.turns[key] = true
			come = append(come, key)
		}
	}
	b.arm()
	b.mu.Unlock()
	for _, key := range come {
		b.wake(key)
	}
}

// next takes the first set that still waits, and drops those before it that have left.
func (b *retryBudget) next() (key adapters.Key, waits bool) {
	for b.waiting.size > 0 {
		key = b.waiting.pop()
		if come, asked := b.turns[key]; asked && !come {
			return key, true
		}
	}
	return key, false
}
