package kube

import (
	"context"
	"maps"
	"net/url"
	"sync"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/client-go/tools/metrics"

	"github.com/setplan/setplan/adapters"
)

// Turns shares the adapter's writes between namespaces, which take turns: each has one write in line for the limit. In order of arrival, a set
// that creates five hundred pods would make another wait for all of them.
//
// A namespace may always use a fifth of the limit. Beyond that, while other namespaces write, too, it writes one at a time, and rests after
// each write for as long as the write took. Only the API server knows how much work a write is, but expensive writes take longer, and make
// everybody else's take longer. A write may also take long because of an admission webhook, which keeps nobody busy: hence the fifth.
//
// Waiting is not part of the action: it cannot make the action fail, and ends with the context.
type Turns struct {
	limit *rate.Limiter

	mu sync.Mutex
	of map[string]*writer
}

const (
	// writesAtOnce is how many writes a namespace may have under way while others write. An overloaded API server takes longer for each,
	// and would otherwise get more and more of them.
	writesAtOnce = 8
	// writesRecently is how long a namespace counts as one that writes.
	writesRecently = 10 * time.Second
)

// writer is a namespace that has written recently.
type writer struct {
	line    chan struct{} // has the write that is next
	own     *rate.Limiter // the namespace's fifth
	ended   chan struct{} // a write has ended
	users   int           // writes that wait or are under way
	writing int           // writes under way
	last    time.Time     // when a write ended
	rests   time.Time     // until then
}

// NewTurns limits writes per second and at once. Without a positive perSecond there is no limit.
func NewTurns(perSecond float32, burst int) *Turns {
	t := &Turns{limit: rate.NewLimiter(rate.Inf, 0), of: map[string]*writer{}}
	if perSecond > 0 {
		t.limit = rate.NewLimiter(rate.Limit(perSecond), burst)
	}
	return t
}

// Wait returns when the set may write once; done must follow. Or it returns the context's error.
func (t *Turns) Wait(ctx context.Context, key adapters.Key) (done func(), err error) {
	if err := ctx.Err(); err != nil || t.limit.Limit() == rate.Inf {
		return func() {}, err
	}
	came := time.Now()
	of := t.come(key.Namespace)
	if err := t.next(ctx, of); err != nil {
		t.leave(of, 0)
		return nil, err
	}
	metrics.RateLimiterLatency.Observe(ctx, "write", url.URL{}, time.Since(came))
	began := time.Now()
	return func() { t.leave(of, max(time.Since(began), 1)) }, nil
}

// next returns when the namespace may write once more.
func (t *Turns) next(ctx context.Context, of *writer) error {
	select {
	case of.line <- struct{}{}:
		defer func() { <-of.line }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for wait := t.holds(of); wait > 0; wait = t.holds(of) {
		select {
		case <-time.After(wait):
		case <-of.ended:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if err := t.limit.Wait(ctx); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	of.writing++
	return nil
}

// holds is how long the next write of a namespace has to wait, or until another one ends. 0 is for one write.
func (t *Turns) holds(of *writer) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	wait := time.Duration((1 - of.own.Tokens()) / float64(of.own.Limit()) * float64(time.Second))
	switch {
	case len(t.of) == 1:
		return 0
	case of.writing >= writesAtOnce:
		return time.Hour
	case of.own.Allow():
		return 0
	case of.writing > 0:
		return wait
	}
	return min(wait, time.Until(of.rests))
}

// come is called before each write of a namespace.
func (t *Turns) come(namespace string) *writer {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.of[namespace]
	if of == nil {
		of = &writer{line: make(chan struct{}, 1), own: rate.NewLimiter(t.limit.Limit()/5, writesAtOnce), ended: make(chan struct{}, 1)}
		t.of[namespace] = of
	}
	of.users++
	return of
}

// leave is called after each write, with its duration; that is 0 if its turn never came.
func (t *Turns) leave(of *writer, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if of.users--; took > 0 {
		of.writing--
		if until := now.Add(took); until.After(of.rests) {
			of.rests = until
		}
		select {
		case of.ended <- struct{}{}:
		default:
		}
	}
	of.last = now
	maps.DeleteFunc(t.of, func(_ string, other *writer) bool { return other.users == 0 && now.Sub(other.last) > writesRecently })
}
