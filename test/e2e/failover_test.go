//go:build e2e

package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// TestNothingLostAtAFailOver: the adapter that takes the lease has not seen what the one before it did last, because a watch of it
// stands still. It must not act on that: the claim of a wanted ordinal would go with the pod that it deletes.
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
			second.says("the caches have not shown yet what was there when this adapter began")
			f.letGo()
			s.settled("web")
			s.stays(2*time.Second, "the claim", func() error { return s.sameClaim("www-web-1", claim) })
			s.ownersBecome("www-web-1", "")
			if !second.running() {
				t.Error("the second did not live on")
			}
		})
	}
}

// failOver is a scene with two adapters: one has the lease, and the other waits for it.
type failOver struct {
	*scene
	before, after *proxy // of the first adapter and of the second one
	first         *adapter
	unseen        string
	letGo         func() // lets the second one see again
}

// handsOver: the first has handed a claim over and dies before it deletes the pod; then the ordinal is wanted again, and the pod fails.
func (f *failOver) handsOver() {
	f.Helper()
	f.letGo = f.after.holdWatches(f.scene, f.unseen)
	deletes := f.before.freeze(0, false, func(c call) bool { return c.verb == http.MethodDelete && c.path == "pods/web-1" })
	f.scale("web", 1)
	deletes.wait(f.scene)
	f.ownersBecome("www-web-1", "Pod/web-1*")
	f.first.kill()
	f.scale("web", 2)
	f.podStatus("web-1", `{"status":{"phase":"Failed","reason":"Evicted"}}`)
}

// scalesUp: the second has last seen the set when it was scaled down.
func (f *failOver) scalesUp() {
	f.Helper()
	f.scale("web", 1)
	f.settled("web")
	f.claimsBecome("www-web-0")
	time.Sleep(2 * time.Second) // the second has seen that as well
	f.letGo = f.after.holdWatches(f.scene, f.unseen)
	f.scale("web", 2)
	f.settled("web")
	f.first.kill()
}

// holdWatches ends the watches of a resource, and keeps those that follow from beginning until they are let go.
func (p *proxy) holdWatches(s *scene, resource string) (letGo func()) {
	s.Helper()
	held, free := make(chan struct{}, 100), make(chan struct{})
	p.set(func(r *http.Request, c call) outcome {
		if r.Method != http.MethodGet || c.path != resource || !strings.Contains(r.URL.RawQuery, "watch=") {
			return outcome{}
		}
		held <- struct{}{}
		return outcome{wait: free}
	})
	p.CloseClientConnections()
	select {
	case <-held:
	case <-time.After(busy * time.Minute):
		s.Fatal("nobody watched again")
	}
	return func() {
		p.set(nil)
		close(free)
	}
}

// sameClaim fails unless the claim is the one of that uid, and is there to stay.
func (s *scene) sameClaim(name string, uid types.UID) error {
	if claim := s.claim(name); claim.UID != uid || claim.DeletionTimestamp != nil {
		return fmt.Errorf("it is lost: now %s is there, deleted at %v", claim.UID, claim.DeletionTimestamp)
	}
	return nil
}
