//go:build e2e

package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// claimChanges tells for each claim of the pods how often what it asks for has changed, its class, and the mark of its labels: "1/0/0 2/0/0".
func (s *scene) claimChanges(pods int) string {
	last, changes := map[string][3]string{}, map[string][3]int{}
	for _, c := range s.all() {
		if c.kind() != "PersistentVolumeClaim" {
			continue
		}
		var now [3]string
		for i, path := range []string{"spec resources requests storage", "spec volumeAttributesClassName", "metadata annotations setplan.io/claim-metadata"} {
			now[i], _, _ = unstructured.NestedString(c.object.Object, strings.Fields(path)...)
		}
		if before, known := last[c.name()]; known {
			n := changes[c.name()]
			for i := range now {
				if now[i] != before[i] {
					n[i]++
				}
			}
			changes[c.name()] = n
		}
		last[c.name()] = now
	}
	var all []string
	for i := range pods {
		n := changes[fmt.Sprintf("www-web-%d", i)]
		all = append(all, fmt.Sprintf("%d/%d/%d", n[0], n[1], n[2]))
	}
	return strings.Join(all, " ")
}

// firstAsks waits until the claim of the highest ordinal asks for what it is to have.
func (s *scene) firstAsks(storage string) {
	s.Helper()
	all := strings.Fields(storage)
	want, _, _ := strings.Cut(all[len(all)-1], "/")
	eventually(s, 30*time.Second, "the first claim asks for "+want, func() error {
		if asks := s.claim(fmt.Sprintf("www-web-%d", len(all)-1)).Spec.Resources.Requests.Storage(); asks.String() != want {
			return fmt.Errorf("it asks for %s", asks)
		}
		return nil
	})
}

// TestClaimsGrowKilled: the adapter is killed at each write by which a claim asks for more, for less because that fails, for another class, or gets
// labels, before or after the API server carries it out. A new one goes on from what the claims say: none is asked twice for the same, and no pod was
// touched.
func TestClaimsGrowKilled(t *testing.T) {
	t.Parallel()
	const gold = `{"www":{"metadata":{"labels":{"tier":"gold"}},"spec":{"volumeAttributesClassName":"gold"}}}`
	writes := func(of string) func(call) bool {
		return func(c call) bool {
			return atPath(http.MethodPatch, "persistentvolumeclaims/www-web-")(c) && bytes.Contains(c.body, []byte(of))
		}
	}
	fails := func(s *scene, p *provider) {
		p.will(declines, "www-web-1")
		s.annotateSet("web", claimTemplates, asksFor("10Gi"))
		s.blocked("web", "CLAIM_CHANGE_FAILED", "PersistentVolumeClaim/www-web-1", "no room")
	}
	tests := []struct {
		name                    string
		before                  func(*scene, *provider)
		patch                   string
		fits                    func(call) bool
		letGo                   int
		storage, class, changes string // at the end
	}{
		{"first request", nil, asksFor("2Gi"), writes(`"storage"`), 0, "2Gi/2Gi 2Gi/2Gi 2Gi/2Gi", "", "1/0/0 1/0/0 1/0/0"},
		{"second request", nil, asksFor("2Gi"), writes(`"storage"`), 1, "2Gi/2Gi 2Gi/2Gi 2Gi/2Gi", "", "1/0/0 1/0/0 1/0/0"},
		{"third request", nil, asksFor("2Gi"), writes(`"storage"`), 2, "2Gi/2Gi 2Gi/2Gi 2Gi/2Gi", "", "1/0/0 1/0/0 1/0/0"},
		{"less", fails, asksFor("5Gi"), writes(`"storage"`), 0, "5Gi/5Gi 5Gi/5Gi", "", "1/0/0 2/0/0"},
		{"class", nil, gold, writes("volumeAttributesClassName"), 0, "1Gi/1Gi 1Gi/1Gi", "gold", "0/1/1 0/1/1"},
		{"labels", nil, gold, writes("claim-metadata"), 0, "1Gi/1Gi 1Gi/1Gi", "gold", "0/1/1 0/1/1"},
	}
	for _, test := range tests {
		for when, done := range map[string]bool{"before": false, "after": true} {
			t.Run(test.name+" "+when, func(t *testing.T) {
				t.Parallel()
				s := lab(t)
				p := newProxy(t, s.config)
				config := s.adapterConfig("proxied", p.URL)
				a := s.ownAdapter("first", config, nil, unelected...)
				count := len(strings.Fields(test.changes))
				s.create(webSet("web", int32(count), parallel))
				s.settled("web")
				s.attributesClass("gold")
				pods, provides := s.podUIDs(), newProvider(s)
				if test.before != nil {
					test.before(s, provides)
				}
				f := p.freeze(test.letGo, done, test.fits)
				s.annotateSet("web", claimTemplates, test.patch)
				frozen := f.wait(s)
				a.kill()
				t.Logf("killed at %s", frozen.what())
				p.set(nil)
				s.ownAdapter("second", config, nil, unelected...)
				s.firstAsks(test.storage)
				provides.will(gives)
				s.storageBecomes(test.storage)
				s.classBecomes(test.class, count)
				s.settled("web")
				s.caughtUp(s)
				if got := s.claimChanges(count); got != test.changes {
					t.Errorf("claims have changed %s times, want %s", got, test.changes)
				}
				s.samePods(pods)
				s.unbroken()
				p.preconditions(t)
			})
		}
	}
}
