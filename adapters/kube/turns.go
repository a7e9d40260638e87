package kube

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/setplan/setplan/adapters"
)

// Turns shares the writes that the adapter may send between the sets that want to write: by turns of their namespaces, and of
// the sets in each. In the order of arrival a set that makes five hundred pods would let another wait for all of them.
//
// To wait here is no part of the action that waits: it cannot fail by it, and ends when the context does.
type Turns struct {
	bucket *rate.Limiter

	mu      sync.Mutex
	waiting rounds[*turn]
	armed   bool // somebody who waits will be let through
}

// turn is one write that waits.
type turn struct {
	come chan struct{}
	gone bool // nobody waits for it any more
}

// NewTurns lets as many writes through in a second, and as many at once; no limit where perSecond is not positive.
func NewTurns(perSecond float32, burst int) *Turns {
	limit := rate.Limit(perSecond)
	if perSecond <= 0 {
		limit = rate.Inf
	}
	return &Turns{bucket: rate.NewLimiter(limit, burst)}
}

// Wait returns when the set may write once, or with the context's error.
func (t *Turns) Wait(ctx context.Context, key adapters.Key) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.mu.Lock()
	if t.waiting.size == 0 && t.bucket.Allow() {
		t.mu.Unlock()
		return nil
	}
	mine := &turn{come: make(chan struct{})}
	t.waiting.push(key, mine)
	t.arm()
	t.mu.Unlock()
	select {
	case <-mine.come:
		return nil
	case <-ctx.Done():
		t.mu.Lock()
		defer t.mu.Unlock()
		mine.gone = true
		return ctx.Err()
	}
}

// arm lets the next one through when the bucket has something for it.
func (t *Turns) arm() {
	if t.armed || t.waiting.size == 0 {
		return
	}
	t.armed = true
	time.AfterFunc(t.bucket.Reserve().Delay(), t.next)
}

func (t *Turns) next() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.armed = false
	for t.waiting.size > 0 {
		if next := t.waiting.pop(); !next.gone {
			close(next.come)
			break
		}
	}
	t.arm()
}
