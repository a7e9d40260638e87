package kube

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/setplan/setplan/adapters"
)

// term is the time in which this process alone may write: a context that ends so long after the last renewal of its lease
// began that no other process can have seen the lease expire. The next holder counts from when it saw that renewal, which
// was later; so all that must agree is how fast the clocks go, and term ends a tenth early. Both count on a clock that
// does not jump.
//
// What remains: a request that was sent before the end may still be on its way, in a proxy or a kernel. Its connection is
// closed at the end, and the API server drops what it has not begun to store, but there is no proof that it does so in
// time. A clock that stands still while a machine sleeps ends no term. For both, every write names the uid, and where it
// matters the version, of what it changes.
type term struct {
	context.Context
	cancel   context.CancelFunc
	duration time.Duration

	mu    sync.Mutex
	until time.Time
	timer *time.Timer
}

// newTerm begins a term that was granted by a request sent at a time. It ends with its parent at the latest.
func newTerm(parent context.Context, duration time.Duration, granted time.Time) *term {
	ctx, cancel := context.WithCancel(parent)
	t := &term{Context: ctx, cancel: cancel, duration: duration - duration/10}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.until = granted.Add(t.duration)
	t.timer = time.AfterFunc(time.Until(t.until), t.end)
	return t
}

// renew makes the term longer. One that has ended stays so.
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

// Err also asks the clock: in a process that was stopped, the one who asks may be faster than the timer.
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

// termTransport sends nothing for an action whose term has ended. The action may have waited for its turn, or the whole
// process may have been stopped.
type termTransport struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t termTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := adapters.TermOf(request.Context()).Err(); err != nil {
		return nil, err
	}
	return t.next.RoundTrip(request)
}

// WrappedRoundTripper lets client-go find what is inside.
func (t termTransport) WrappedRoundTripper() http.RoundTripper { return t.next }
