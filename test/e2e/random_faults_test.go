//go:build e2e

package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
)

// dice makes random faults from a seed, and counts them.
type dice struct {
	mu     sync.Mutex
	random *rand.Rand
	writes int
	spoilt int      // which of the current five writes gets a fault
	next   []string // faults in a random order; each comes before any comes again
	struck map[string]int
}

func newDice(seed uint64) *dice {
	return &dice{random: rand.New(rand.NewPCG(seed, seed)), struck: map[string]int{}}
}

// faults are what may happen to a request. With done the write takes effect, but its sender is not told.
var faults = map[string]outcome{
	"500":                       {status: http.StatusInternalServerError},
	"409":                       {status: http.StatusConflict},
	"lost":                      {cut: true},
	"done, but timeout":         {status: http.StatusGatewayTimeout, done: true},
	"done, but the answer lost": {cut: true, done: true},
}

var faultNames = []string{"500", "409", "lost", "done, but timeout", "done, but the answer lost"}

// strike fails one of five reads and one of each five writes, so that a life of 25 writes meets every fault. It leaves reports
// alone: a failed report is tried again only after ten seconds.
func (d *dice) strike(r *http.Request, c call) outcome {
	if strings.HasPrefix(c.path, "events") || r.URL.Path == "/version" {
		return outcome{}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if c.verb == http.MethodGet {
		if d.random.IntN(5) > 0 {
			return outcome{}
		}
		d.struck["500 to a read"]++
		return faults["500"]
	}
	if d.writes%5 == 0 {
		d.spoilt = d.writes + d.random.IntN(5)
	}
	d.writes++
	if d.writes-1 != d.spoilt {
		return outcome{}
	}
	if len(d.next) == 0 {
		d.next = slices.Clone(faultNames)
		d.random.Shuffle(len(d.next), func(i, j int) { d.next[i], d.next[j] = d.next[j], d.next[i] })
	}
	name := d.next[0]
	d.next = d.next[1:]
	d.struck[name]++
	return faults[name]
}

// TestRandomFaults: errors, conflicts, and answers lost before or after the write. The set converges at every stop of its life,
// and no invariant is ever broken.
func TestRandomFaults(t *testing.T) {
	t.Parallel()
	kinds := []struct {
		name    string
		options []func(*appsv1.StatefulSet)
	}{
		{"ordered", []func(*appsv1.StatefulSet){deletedWithAll}},
		{"parallel", []func(*appsv1.StatefulSet){parallel, twoUnavailable}},
	}
	for _, kind := range kinds {
		for seed := range uint64(2) {
			t.Run(fmt.Sprintf("%s %d", kind.name, seed), func(t *testing.T) {
				t.Parallel()
				s := lab(t)
				p := newProxy(t, s.config)
				s.ownAdapter("adapter", s.adapterConfig("proxied", p.URL), nil, unelected...)
				d := newDice(seed + 1)
				p.set(d.strike)

				s.create(webSet("web", 3, kind.options...))
				s.settled("web")
				for _, edit := range []func(){
					func() { s.image("web", "registry.example/nginx:2") },
					func() { s.scale("web", 5) },
					func() { s.image("web", "registry.example/nginx:1") },
					func() { s.scale("web", 1) },
				} {
					edit()
					p.CloseClientConnections() // ends the watches, too
					s.settled("web")
				}

				p.set(nil)
				d.mu.Lock()
				defer d.mu.Unlock()
				t.Logf("of %d writes and the reads the faults were %v", d.writes, d.struck)
				for _, name := range faultNames {
					if d.struck[name] == 0 {
						t.Errorf("no request met with %q", name)
					}
				}
				s.unbroken()
				p.preconditions(t)
				if got := s.podNames(); got != "web-0" {
					t.Errorf("the pods are %s", got)
				}
				if n := len(s.revisions()); n != 2 {
					t.Errorf("there are %d revisions, want 2: a lost answer must not make another", n)
				}
			})
		}
	}
}
