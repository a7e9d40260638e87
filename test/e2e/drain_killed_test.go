//go:build e2e

package e2e

import (
	"net/http"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
)

// TestDrainKilled: the adapter is killed at each write of a drain, before or after the API server carries it out. The next
// adapter loses nothing and repeats nothing.
func TestDrainKilled(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		fits  func(call) bool
		letGo int
	}{
		"delete of the replica":   {atPath(http.MethodDelete, "pods"), 0},
		"note of the attempt":     {atPath(http.MethodPatch, "persistentvolumeclaims"), 0},
		"second note":             {atPath(http.MethodPatch, "persistentvolumeclaims"), 1},
		"drain pod":               {atPath(http.MethodPost, "pods"), 0},
		"delete of a claim":       {atPath(http.MethodDelete, "persistentvolumeclaims"), 0},
		"delete of the other":     {atPath(http.MethodDelete, "persistentvolumeclaims"), 1},
		"delete of the drain pod": {atPath(http.MethodDelete, "pods"), 1},
	}
	for policy, options := range map[string][]func(*appsv1.StatefulSet){"ordered": {}, "parallel": {parallel}} {
		for name, test := range tests {
			for when, done := range map[string]bool{"before": false, "after": true} {
				t.Run(policy+" "+name+" "+when, func(t *testing.T) {
					t.Parallel()
					s := lab(t)
					p := newProxy(t, s.config)
					config := s.adapterConfig("proxied", p.URL)
					a := s.ownAdapter("first", config, nil, unelected...)
					s.create(webSet("web", 3, append(options, drained(completes), twoClaims)...))
					s.settled("web")
					f := p.freeze(test.letGo, done, test.fits)
					s.scale("web", 2)
					frozen := f.wait(s)
					a.kill()
					t.Logf("killed at %s", frozen.what())

					p.set(nil)
					s.ownAdapter("second", config, nil, unelected...)
					s.claimsBecome("logs-web-0 logs-web-1 www-web-0 www-web-1")
					s.podsBecome("web-0 web-1")
					s.settled("web")
					s.unbroken()
					p.preconditions(t)
					s.times("Pod", "+web-2", 2)
					s.times("PersistentVolumeClaim", "-www-web-2", 1)
					s.times("PersistentVolumeClaim", "-logs-web-2", 1)
					s.inOrder(podsAndClaims, "gone web-2", "+web-2", "-www-web-2", "gone web-2")
				})
			}
		}
	}
}
