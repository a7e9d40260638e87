package kube

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/setplan/setplan/adapters"
)

// Turns shares the adapter's writes between the sets that want to write: namespaces take turns, and the sets in each. In order of
// arrival, a set that creates five hundred pods would make another wait for all of them.
//
// A fifth of the writes is reserved for namespaces that write little, so that they do not wait behind one that writes all the time. Others
// may use what is left of it.
//
// Waiting is not part of the action: it cannot make the action fail, and ends with the context.
type Turns struct {
	everybodys, reserve *rate.Limiter

	mu      sync.Mutex
	waiting rounds[*turn]
	armed   bool // the timer that calls next is set
	light   map[string]*rate.Limiter
}

// reserved means that one write in this many is for namespaces that write little.
const reserved = 5

// turn is one write that waits.
type turn struct {
	come chan struct{}
	gone bool // nobody waits for it
}

// NewTurns limits writes per second and at once. Without a positive perSecond there is no limit.
func NewTurns(perSecond float32, burst int) *Turns {
	t := &Turns{everybodys: rate.NewLimiter(rate.Inf, 0), reserve: rate.NewLimiter(0, 0), light: map[string]*rate.Limiter{}}
	if perSecond <= 0 {
		return t
	}
	limit, few := rate.Limit(perSecond), burst/reserved
	t.everybodys = rate.NewLimiter(limit, burst)
	if few > 0 {
		t.everybodys, t.reserve = rate.NewLimiter(limit-limit/reserved, burst-few), rate.NewLimiter(limit/reserved, few)
	}
	return t
}

// Wait returns when the set may write once, or returns the context's error.
func (t *Turns) Wait(ctx context.Context, key adapters.Key) error {
	if err := ctx.Err(); err != nil || t.everybodys.Limit() == rate.Inf {
		return err
	}
	t.mu.Lock()
	if t.writesLittle(key.Namespace) && t.reserve.Allow() || t.waiting.size == 0 && t.take() {
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

// writesLittle counts a write of a namespace, and reports whether the namespace wrote little before: at once no more than the whole
// reserve, and in the long run no faster than the reserve refills.
func (t *Turns) writesLittle(namespace string) bool {
	of := t.light[namespace]
	if of == nil {
		for other, of := range t.light { // a namespace whose bucket is full need not be remembered
			if of.Tokens() >= float64(of.Burst()) {
				delete(t.light, other)
			}
		}
		of = rate.NewLimiter(t.reserve.Limit(), 2*t.reserve.Burst())
		t.light[namespace] = of
	}
	little := of.Tokens() > float64(t.reserve.Burst())
	of.Allow()
	return little
}

// take takes a write that is not reserved.
func (t *Turns) take() bool {
	return t.everybodys.Allow() || missing(t.reserve, t.reserve.Burst()) <= 0 && t.reserve.Allow()
}

// missing returns the time until a limiter has n tokens, or an hour if it never will. A microsecond counts as no time, because of
// rounding.
func missing(of *rate.Limiter, n int) time.Duration {
	if of.Burst() < n || n == 0 {
		return time.Hour
	}
	return time.Duration((float64(n)-of.Tokens())/float64(of.Limit())*float64(time.Second)) - time.Microsecond
}

// arm calls next when there may be a token for a waiting write.
func (t *Turns) arm() {
	if t.armed || t.waiting.size == 0 {
		return
	}
	t.armed = true
	time.AfterFunc(min(missing(t.everybodys, 1), missing(t.reserve, t.reserve.Burst()))+2*time.Microsecond, t.next)
}

func (t *Turns) next() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.armed = false
	for t.waiting.size > 0 && t.take() {
		t.letThrough()
	}
	t.arm()
}

// letThrough lets the first waiting write through.
func (t *Turns) letThrough() {
	for t.waiting.size > 0 {
		if next := t.waiting.pop(); !next.gone {
			close(next.come)
			return
		}
	}
}
