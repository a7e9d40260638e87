//go:build e2e

package e2e

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
)

// TestGatesTakenBack: somebody takes an answer back while the write to which it agrees is on its way. The API server refuses the write, because it names
// the pod as it was seen, and the update waits again: for a pod that is to be deleted, and for one that is to change in place. An answer for after the
// update that is taken back holds back the next pod.
func TestGatesTakenBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keeps func(*appsv1.StatefulSet)
		write func(call) bool
		verb  string
	}{
		"deleted":  {ordered, atPath(http.MethodDelete, "pods/web-1"), "delete pods"},
		"in-place": {annotated("setplan.io/in-place", "InPlaceOnly"), changesImage, "patch pods"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := lab(t)
			p := newProxy(t, s.config)
			a := s.ownAdapter("adapter", s.adapterConfig("proxied", p.URL), nil, unelected...)
			h := newHosts(s)
			s.create(webSet("web", 2, parallel, withoutClaims, c.keeps, annotated("setplan.io/before-update", "backup-agent"), annotated("setplan.io/after-update", "ring-check")))
			s.settled("web")
			h.looked()
			pods := s.podUIDs()
			s.image("web", image2)
			s.blocked("web", "UPDATE_GATED", "Pod/web-1", "backup-agent")

			held, letGo := p.hold(c.write)
			s.agrees("web-1", "before-update")
			select {
			case write := <-held:
				t.Logf("held back: %s", write.what())
			case <-time.After(busy * 60 * time.Second):
				t.Fatal("web-1 was not to be updated")
			}
			s.takesBack("web-1", "before-update")
			letGo()
			s.refused(c.verb, "web-1")
			s.blocked("web", "UPDATE_GATED", "Pod/web-1", "backup-agent")
			s.samePods(pods)
			if err := s.hasImage("web-1", image1); err != nil {
				t.Error(err)
			}

			s.agrees("web-1", "before-update")
			s.blocked("web", "UPDATE_GATED", "Pod/web-1", "ring-check")
			s.agrees("web-1", "after-update")
			s.blocked("web", "UPDATE_GATED", "Pod/web-0", "backup-agent")
			s.takesBack("web-1", "after-update")
			s.blocked("web", "UPDATE_GATED", "Pod/web-1", "ring-check")
			s.agrees("web-0", "before-update")
			s.stays(time.Second, "web-0, whose turn has not come,", func() error {
				if err := s.hasImage("web-0", image1); err != nil {
					return err
				}
				return s.isBlocked("web", "UPDATE_GATED", "Pod/web-1", "ring-check")
			})
			s.agrees("web-1", "after-update")
			s.settled("web")
			s.wantImages("web", "nginx:2", "nginx:2")
			if !a.running() {
				t.Error("the adapter ended")
			}
			for _, lie := range h.untrue() {
				t.Error(lie)
			}
			s.unbroken()
			p.preconditions(t)
		})
	}
}

// changesImage fits the write by which web-1 gets another image in place.
func changesImage(c call) bool {
	return c.verb == http.MethodPatch && c.path == "pods/web-1" && strings.Contains(string(c.body), image2)
}

// refused waits until the API server has refused a write to a pod because it was seen otherwise.
func (s *scene) refused(what, pod string) {
	s.Helper()
	eventually(s, 30*time.Second, what+" "+pod+" is refused", func() error {
		for _, r := range s.requests() {
			if r.what() == what && r.ObjectRef.Name == pod && r.Response.Code == http.StatusConflict {
				return nil
			}
		}
		return errors.New("it is not in the audit log")
	})
}
