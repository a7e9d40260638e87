//go:build e2e

package e2e

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// TestNothingLostAtAFailOver: the adapter that takes the lease gets no answer about one kind, and so does not know the last writes of its
// predecessor. It must not act on what it knows: the claim of a wanted ordinal would be deleted with its pod.
func TestNothingLostAtAFailOver(t *testing.T) {
	t.Parallel()
	for unseen, lastActs := range map[string]func(*failOver){
		"persistentvolumeclaims": (*failOver).handsOver,
		"statefulsets":           (*failOver).scalesUp,
	} {
		t.Run(unseen, func(t *testing.T) {
			t.Parallel()
			s := lab(t)
			f := &failOver{scene: s, before: newProxy(t, s.config), after: newProxy(t, s.config), unseen: unseen}
			f.first = s.ownAdapter("first", s.adapterConfig("before", f.before.URL), nil, "--own", underTest)
			f.first.becomes("setplan_adapter_leader", 1)
			second := s.ownAdapter("second", s.adapterConfig("after", f.after.URL), nil, "--own", underTest)
			s.create(webSet("web", 2, parallel, retention(retain, remove)))
			s.settled("web")

			lastActs(f)
			claim := s.claim("www-web-1").UID
			second.says("ours=true")
			s.stays(5*time.Second, "the claim", func() error { return s.sameClaim("www-web-1", claim) })
			second.says("waiting for the first lists")
			f.letGo()
			s.settled("web")
			s.stays(2*time.Second, "the claim", func() error { return s.sameClaim("www-web-1", claim) })
			s.ownersBecome("www-web-1", "")
			if !second.running() {
				t.Error("the second adapter ended")
			}
		})
	}
}

// failOver is a scene with two adapters: the first has the lease, and the second waits for it.
type failOver struct {
	*scene
	before, after *proxy // of the first and of the second adapter
	first         *adapter
	unseen        string
	letGo         func() // lets the second adapter see again
}

// handsOver: the first makes the pod its claim's owner and is killed before it deletes the pod. Then the ordinal is wanted
// again, and the pod fails.
func (f *failOver) handsOver() {
	f.Helper()
	f.letGo = f.after.holdLists(f.unseen)
	deletes := f.before.freeze(false, func(c call) bool { return c.verb == http.MethodDelete && c.path == "pods/web-1" })
	f.scale("web", 1)
	deletes.wait(f.scene)
	f.ownersBecome("www-web-1", "Pod/web-1*")
	f.first.kill()
	f.scale("web", 2)
	f.podStatus("web-1", `{"status":{"phase":"Failed","reason":"Evicted"}}`)
}

// scalesUp: the second last saw the set scaled down.
func (f *failOver) scalesUp() {
	f.Helper()
	f.scale("web", 1)
	f.settled("web")
	f.claimsBecome("www-web-0")
	time.Sleep(2 * time.Second) // the second has seen that, too
	f.letGo = f.after.holdLists(f.unseen)
	f.scale("web", 2)
	f.settled("web")
	f.first.kill()
}

// holdLists holds back what lists or watches a resource, until letGo.
func (p *proxy) holdLists(resource string) (letGo func()) {
	free := make(chan struct{})
	p.set(func(r *http.Request, c call) outcome {
		if r.Method != http.MethodGet || c.path != resource {
			return outcome{}
		}
		return outcome{wait: free}
	})
	return func() {
		p.set(nil)
		close(free)
	}
}

// sameClaim returns nil if the claim has that uid and is not being deleted.
func (s *scene) sameClaim(name string, uid types.UID) error {
	if claim := s.claim(name); claim.UID != uid || claim.DeletionTimestamp != nil {
		return fmt.Errorf("it is lost: now %s is there, deleted at %v", claim.UID, claim.DeletionTimestamp)
	}
	return nil
}
