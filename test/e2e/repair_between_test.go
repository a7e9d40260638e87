//go:build e2e

package e2e

import (
	"errors"
	"net/http"
	"testing"
	"time"
)

// hold holds matching requests back until letGo.
func (p *proxy) hold(fits func(call) bool) (held <-chan call, letGo func()) {
	calls, gate := make(chan call, 100), make(chan struct{})
	p.set(func(_ *http.Request, c call) outcome {
		if !fits(c) {
			return outcome{}
		}
		calls <- c
		return outcome{wait: gate}
	})
	return calls, func() {
		p.set(nil)
		close(gate)
	}
}

// TestRepairComesTooLate: the bad pod becomes ready while its deletion is on the way. It is available then, and stays: below
// the partition only a repair would delete it.
func TestRepairComesTooLate(t *testing.T) {
	t.Parallel()
	s := lab(t)
	p := newProxy(t, s.config)
	a := s.ownAdapter("adapter", s.adapterConfig("proxied", p.URL), nil, unelected...)
	s.create(webSet("web", 2))
	s.settled("web")
	s.image("web", broken)
	eventually(t, 60*time.Second, "web-1 is at the broken template", func() error { return s.hasImage("web-1", broken) })
	s.observed("web")
	bad := s.podUIDs()

	held, letGo := p.hold(atPath(http.MethodDelete, "pods/web-1"))
	s.patch("web", `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":2}}}}`)
	select {
	case c := <-held:
		t.Logf("held back: %s", c)
	case <-time.After(busy * 60 * time.Second):
		t.Fatal("no repair of web-1 was sent")
	}
	time.Sleep(2 * time.Second) // the API keeps whole seconds
	s.setReady("web-1", true)
	letGo()
	eventually(t, 30*time.Second, "the deletion is refused", func() error {
		for _, r := range s.requests() {
			if r.what() == "delete pods" && r.Response.Code == http.StatusConflict {
				return nil
			}
		}
		return errors.New("it is not in the audit log")
	})
	s.steady("web", 1)
	s.quiet(time.Second)
	s.samePods(bad)
	if !a.running() {
		t.Error("the adapter ended")
	}
	s.unbroken()
}
