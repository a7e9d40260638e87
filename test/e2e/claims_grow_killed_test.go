//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// resizer gives each claim of the namespace what it asks for, as the program of a provider does, until the test ends.
func (s *scene) resizer() {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	s.Cleanup(func() { stop(); <-done })
	claims := s.client.CoreV1().PersistentVolumeClaims(s.namespace)
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			list, err := claims.List(ctx, metav1.ListOptions{})
			for i := 0; err == nil && i < len(list.Items); i++ {
				claim := &list.Items[i]
				if wanted := claim.Spec.Resources.Requests.Storage(); wanted.Cmp(*claim.Status.Capacity.Storage()) > 0 && !claim.Status.Capacity.Storage().IsZero() {
					body := fmt.Sprintf(`{"status":{"capacity":{"storage":%q}}}`, wanted.String())
					_, _ = claims.Patch(ctx, claim.Name, types.MergePatchType, []byte(body), metav1.PatchOptions{}, "status") // again in a moment
				}
			}
			time.Sleep(50 * time.Millisecond)
		}
	}()
}

// claimRequests counts for each claim how often what it asks for has changed.
func (s *scene) claimRequests() map[string]int {
	last, changes := map[string]string{}, map[string]int{}
	for _, c := range s.all() {
		if c.kind() != "PersistentVolumeClaim" {
			continue
		}
		now, _, _ := unstructured.NestedString(c.object.Object, "spec", "resources", "requests", "storage")
		if before, known := last[c.name()]; known && before != now {
			changes[c.name()]++
		}
		last[c.name()] = now
	}
	return changes
}

// TestClaimsGrowKilled: the adapter is killed at each write by which a claim asks for more, before or after the API server carries it out.
// A new one goes on from what the claims say: each has asked once at the end, and no pod was touched.
func TestClaimsGrowKilled(t *testing.T) {
	t.Parallel()
	for write := range 3 {
		for when, done := range map[string]bool{"before": false, "after": true} {
			t.Run(fmt.Sprintf("%d %s", write, when), func(t *testing.T) {
				t.Parallel()
				s := lab(t)
				p := newProxy(t, s.config)
				config := s.adapterConfig("proxied", p.URL)
				a := s.ownAdapter("first", config, nil, unelected...)
				s.create(webSet("web", 3, parallel))
				s.settled("web")
				pods := s.podUIDs()
				s.resizer()
				f := p.freeze(write, done, atPath(http.MethodPatch, "persistentvolumeclaims/www-web-"))
				s.annotateSet("web", claimTemplates, asksFor("2Gi"))
				frozen := f.wait(s)
				a.kill()
				t.Logf("killed at %s", frozen.what())
				p.set(nil)
				s.ownAdapter("second", config, nil, unelected...)
				s.storageBecomes("2Gi/2Gi 2Gi/2Gi 2Gi/2Gi")
				s.settled("web")
				s.caughtUp(s)
				for name, n := range s.claimRequests() {
					if n != 1 {
						t.Errorf("%s has asked for something else %d times", name, n)
					}
				}
				if len(s.claimRequests()) != 3 {
					t.Errorf("%d claims have asked for more", len(s.claimRequests()))
				}
				s.samePods(pods)
				p.preconditions(t)
			})
		}
	}
}
