//go:build e2e

package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
)

// TestRepairKilledAfterEachWrite: two bad pods are replaced, the highest first and one at a time, by adapters that are killed
// before they get the answer to a write.
func TestRepairKilledAfterEachWrite(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		options []func(*appsv1.StatefulSet)
		spoil   func(s *scene) // makes web-2 and web-1 bad
		mend    func(s *scene)
		image   string
		updated int32
		created string // how often each pod is created in all
		order   []string
	}{
		"OrderedReady": {nil,
			func(s *scene) {
				s.image("web", broken)
				s.becomesBroken("web-2")
				s.podStatus("web-1", ended("Failed", "Error"))
				s.becomesBroken("web-1")
			},
			func(s *scene) { s.image("web", image2) }, image2, 3, "233",
			[]string{"-web-2", "+web-2", "-web-1", "+web-1", "-web-2", "gone web-2", "-web-1", "gone web-1", "+web-1", "+web-2", "-web-0", "+web-0"}},
		"Parallel": {[]func(*appsv1.StatefulSet){parallel, twoUnavailable},
			func(s *scene) {
				s.image("web", broken)
				s.becomesBroken("web-2")
				s.becomesBroken("web-1")
			},
			func(s *scene) { s.patch("web", `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":3}}}}`) }, image1, 0, "133",
			[]string{"-web-2", "+web-2", "-web-2", "gone web-2", "-web-1", "gone web-1", "+web-1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := lab(t).relay(false)
			r.create(webSet("web", 3, test.options...))
			r.settled("web")
			test.spoil(r.scene)
			r.observed("web")
			r.begin(func(c call) bool { return c.verb != http.MethodGet && strings.HasPrefix(c.path, "pods") })
			r.pin("web-2")
			test.mend(r.scene)
			r.until("web-1 waits for web-2", func() error {
				return r.isBlocked("web", "REPAIR_WAITS", "Pod/web-1", "web-2, which is being deleted")
			})
			r.unpin("web-2")
			r.until("all pods are repaired", func() error {
				for _, pod := range []string{"web-0", "web-1", "web-2"} {
					if err := r.hasImage(pod, test.image); err != nil {
						return err
					}
				}
				return nil
			})
			r.finish("DELETE pods/web-2", "DELETE pods/web-1", "POST pods")
			r.steady("web", test.updated)
			r.unbroken()
			r.proxy.preconditions(t)
			r.inOrder([]string{"Pod"}, test.order...)
			for i, n := range test.created {
				r.times("Pod", fmt.Sprint("+web-", i), int(n-'0'))
			}
		})
	}
}

// becomesBroken waits until a pod has the broken template.
func (s *scene) becomesBroken(pod string) {
	s.Helper()
	eventually(s, 60*time.Second, pod+" is at the broken template", func() error { return s.hasImage(pod, broken) })
}
