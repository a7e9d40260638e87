//go:build e2e

package e2e

import (
	"fmt"
	"testing"
)

// TestResizeKilled: the adapter is killed after each of its writes, while resources change in place, are refused, and are taken back. What is under way
// stands in the pods: the next adapter goes on from there, and no pod is recreated or resized twice.
func TestResizeKilled(t *testing.T) {
	t.Parallel()
	s := lab(t)
	k := &eachWrite{scene: s, proxy: newProxy(t, s.config)}
	k.config = s.adapterConfig("proxied", k.proxy.URL)
	h := newHosts(s)
	then := s.toldInPlace()
	s.create(webSet("web", 2, withoutClaims, memoryLimit("64Mi"), annotated("setplan.io/in-place", "InPlaceOnly")))
	k.settles()
	h.settled("web")
	pods, kills := s.podUIDs(), k.kills

	s.limit("web", "128Mi")
	k.settles()
	then("size web-1", "there web-1", "size web-0", "there web-0")

	h.refuse("web-1", infeasible)
	s.limit("web", "256Mi")
	k.until(func() error { return s.pendingFor("web-1", infeasible) })
	s.limit("web", "128Mi")
	k.settles()
	then("size web-1", "size web-1", "there web-1")

	s.samePods(pods)
	s.unbroken()
	k.proxy.preconditions(t)
	for _, lie := range h.untrue() {
		t.Error(lie)
	}
	// Two revisions and the new number of one, the marks of two pods, four starts with a resize each, three times the end.
	if k.kills-kills < 16 {
		t.Errorf("it was killed %d times, there are more writes", k.kills-kills)
	}
	t.Logf("it was killed %d times", k.kills-kills)
}

// pendingFor returns nil once a node has refused what a pod asks for, for a reason.
func (s *scene) pendingFor(pod, reason string) error {
	for _, c := range s.pod(pod).Status.Conditions {
		if c.Type == "PodResizePending" && c.Reason == reason {
			return nil
		}
	}
	return fmt.Errorf("%s has %+v", pod, s.pod(pod).Status.Conditions)
}

// infeasible is why a node can never give a pod what it asks for.
const infeasible = "Infeasible"
