//go:build e2e

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// relay runs adapters one after another. From begin on each is killed once the API server has carried out one of its writes,
// and before it gets the answer; then the next one goes on. All their state is in the cluster, so some adapter starts from each
// state between two writes.
type relay struct {
	*scene
	alone  bool // beside the built-in controller
	proxy  *proxy
	config string
	since  int64 // the version at which it began

	begun   int      // adapters begun so far
	runner  *adapter // nil: it was killed, and no other has begun
	fits    func(call) bool
	frozen  []*freezer // one for each adapter that was to be killed
	unheard []string   // writes that were done, but whose sender was killed before it got the answer
}

// relay starts the first adapter of a scene.
func (s *scene) relay(alone bool) *relay {
	s.Helper()
	p := newProxy(s, s.config)
	r := &relay{scene: s, alone: alone, proxy: p, config: s.adapterConfig("proxied", p.URL)}
	r.next()
	return r
}

func (r *relay) next() {
	r.Helper()
	args := unelected
	if r.alone {
		args = []string{"--mode", "drain", "--leader-elect=false"}
	}
	r.begun++
	r.runner = r.ownAdapter(fmt.Sprint("adapter-", r.begun), r.config, nil, args...)
}

// begin kills adapters from now on, after writes that match.
func (r *relay) begin(fits func(call) bool) {
	r.Helper()
	r.caughtUp(r)
	r.since, r.fits = r.last(), fits
	r.freeze()
}

func (r *relay) freeze() { r.frozen = append(r.frozen, r.proxy.freeze(0, true, r.fits)) }

// kill ends the adapter now.
func (r *relay) kill() {
	if r.runner != nil {
		r.runner.kill()
	}
	r.runner = nil
}

// until lets adapters work, and be killed, until a check returns nil.
func (r *relay) until(what string, check func() error) {
	r.Helper()
	eventually(r, 90*time.Second, what, func() error {
		if r.runner == nil {
			r.next()
		}
		if before := len(r.unheard); len(r.done()) > before {
			r.kill()
			r.freeze()
		}
		return check()
	})
}

// done lists the writes after which adapters were killed, or are about to be. An adapter that had sent several at once was
// killed after all of them.
func (r *relay) done() []string {
	for _, f := range r.frozen {
		for more := true; more; {
			select {
			case c := <-f.frozen:
				r.unheard = append(r.unheard, c.what())
			default:
				more = false
			}
		}
	}
	return r.unheard
}

// finish waits until adapters were killed after these writes, and lets one more adapter finish undisturbed.
func (r *relay) finish(after ...string) {
	r.Helper()
	r.until("the kills", func() error {
		for _, write := range after {
			if !slices.Contains(r.unheard, write) {
				return fmt.Errorf("none was killed after %s, but after %s", write, strings.Join(r.unheard, ", "))
			}
		}
		return nil
	})
	r.kill()
	r.proxy.set(nil)
	r.next()
	r.Logf("killed after %s", strings.Join(r.unheard, ", "))
}
