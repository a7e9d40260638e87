package kube

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/setplan/setplan/adapters"
)

// term is the time in which only this process may write. It is a context that ends before any other process can have seen the
// lease expire. It counts from when the last renewal began, and the next holder counts from when it saw that renewal, which is
// later. So the clocks only need the same speed, and the term ends a tenth early. Both count on a clock that does not jump.
//
// Two gaps remain. A request that was sent before the end may still be on its way, in a proxy or a kernel. Its connection is
// closed at the end, and the API server drops what it has not begun to store, but nothing proves that this is in time. And a
// clock that stops while a machine sleeps ends no term. Against both, every write names the uid of its object, and where it
// matters the version.
type term struct {
	context.Context
	cancel   context.CancelFunc
	duration time.Duration

	mu    sync.Mutex
	until time.Time
	timer *time.Timer
}

// newTerm begins a term that a request granted; granted is when the request was sent. It ends with its parent at the latest.
func newTerm(parent context.Context, duration time.Duration, granted time.Time) *term {
	ctx, cancel := context.WithCancel(parent)
	t := &term{Context: ctx, cancel: cancel, duration: duration - duration/10}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.until = granted.Add(t.duration)
	t.timer = time.AfterFunc(time.Until(t.until), t.end)
	return t
}

// renew extends the term. A term that has ended stays ended.
func (t *term) renew(granted time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.timer.Stop() {
		t.until = granted.Add(t.duration)
		t.timer.Reset(time.Until(t.until))
	}
}

func (t *term) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer.Stop()
	t.cancel()
}

// Err also asks the clock: when a stopped process continues, a caller may be faster than the timer.
func (t *term) Err() error {
	if err := t.Context.Err(); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !time.Now().Before(t.until) {
		return context.DeadlineExceeded
	}
	return nil
}

// termTransport sends nothing for an action whose term has ended: the action may have waited for its turn, or the process may have
// been stopped.
type termTransport struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t termTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := adapters.TermOf(request.Context()).Err(); err != nil {
		return nil, err
	}
	return t.next.RoundTrip(request)
}

// WrappedRoundTripper gives client-go the inner transport.
func (t termTransport) WrappedRoundTripper() http.RoundTripper { return t.next }
