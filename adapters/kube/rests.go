package kube

import (
	"context"
	"sync"
	"time"

	"github.com/setplan/setplan/adapters"
)

// turnFunc returns when a set may write once; done must follow. Or it returns an error.
type turnFunc func(ctx context.Context, key adapters.Key) (done func(), err error)

// Rests slows down a namespace that has recently kept the API server busy while other namespaces write, too: the namespace writes one at
// a time, and rests after each write for as long as the write took. Only the API server knows how much work a write is, but expensive
// writes take longer, and make everybody else's take longer.
//
// A write may also take long because of an admission webhook, which keeps nobody busy. So a namespace may always use a fifth of
// --kube-api-qps, however long its writes take, as long as few of them are under way.
type Rests struct {
	every time.Duration // between two writes that begin without a rest; 0: nobody waits

	mu  sync.Mutex
	had shares // by the time that writes took
	of  map[string]*resting
}

// restsAtOnce is how many writes a namespace may have under way without waiting for the one before. An overloaded API server takes
// longer for each, and would otherwise get more and more of them.
const restsAtOnce = 8

// resting is the state of one namespace.
type resting struct {
	waiting rounds[*turn]
	writing int
	last    time.Time   // when the last write was let through
	until   time.Time   // when the rest ends
	looks   *time.Timer // calls look when the next write may begin
}

// NewRests makes the rests for a limit of writes per second. Without a positive limit nobody waits.
func NewRests(perSecond float32) *Rests {
	r := &Rests{had: shares{of: map[string]share{}}, of: map[string]*resting{}}
	if perSecond > 0 {
		r.every = time.Duration(reserved * float64(time.Second) / float64(perSecond))
	}
	return r
}

// before puts the rests before another wait. A write that is held back by a rest has not begun the other wait, so it takes nobody's turn
// there. The write ends when done is called.
func (r *Rests) before(wait func(context.Context, adapters.Key) error) turnFunc {
	return func(ctx context.Context, key adapters.Key) (func(), error) {
		if err := r.wait(ctx, key); err != nil {
			return nil, err
		}
		err := wait(ctx, key)
		began := time.Now()
		if err != nil {
			r.done(key.Namespace, began)
			return nil, err
		}
		return func() { r.done(key.Namespace, began) }, nil
	}
}

// wait returns when the set may write; done must follow. Or it returns the context's error.
func (r *Rests) wait(ctx context.Context, key adapters.Key) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.mu.Lock()
	of := r.of[key.Namespace]
	if of == nil {
		of = &resting{}
		of.looks = time.AfterFunc(time.Hour, func() { r.look(key.Namespace, of) })
		r.of[key.Namespace] = of
	}
	mine := &turn{come: make(chan struct{})}
	of.waiting.push(key, mine)
	r.next(key.Namespace, of)
	r.mu.Unlock()
	select {
	case <-mine.come:
		return nil
	case <-ctx.Done():
	}
	r.mu.Lock()
	mine.gone = true
	r.mu.Unlock()
	select {
	case <-mine.come: // in the last moment
		r.done(key.Namespace, time.Now())
	default:
	}
	return ctx.Err()
}

// done ends a write.
func (r *Rests) done(namespace string, began time.Time) {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	of := r.of[namespace]
	of.writing--
	if until := now.Add(now.Sub(began)); until.After(of.until) {
		of.until = until
	}
	r.had.add(namespace, began, now)
	r.next(namespace, of)
	for other, of := range r.of {
		if of.writing == 0 && of.waiting.size == 0 && now.After(of.until) {
			of.looks.Stop()
			delete(r.of, other)
		}
	}
}

// next lets the writes through that may begin now.
func (r *Rests) next(namespace string, of *resting) {
	for of.waiting.size > 0 {
		now := time.Now()
		if wait := r.holds(namespace, of, now); wait > 0 {
			of.looks.Reset(wait)
			return
		}
		if next := of.waiting.pop(); !next.gone {
			of.writing++
			of.last = now
			close(next.come)
		}
	}
}

func (r *Rests) look(namespace string, of *resting) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next(namespace, of)
}

// holds returns the longest that the next write of a namespace must wait. It may begin earlier, when another write ends.
func (r *Rests) holds(namespace string, of *resting, now time.Time) time.Duration {
	if r.every == 0 || !r.had.heavy(namespace, now) {
		return 0
	}
	wait := of.last.Add(r.every).Sub(now)
	if of.writing == 0 {
		wait = min(wait, of.until.Sub(now))
	}
	if of.writing >= restsAtOnce {
		wait = time.Hour // until one ends
	}
	return wait
}
