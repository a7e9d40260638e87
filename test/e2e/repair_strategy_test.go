//go:build e2e

package e2e

import (
	"testing"
	"time"
)

// TestRepairOnDelete: pods that users update are also repaired by users, whatever the policy says.
func TestRepairOnDelete(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, onDelete, repairs("Unready")))
	s.settled("web")
	s.image("web", broken)
	s.observed("web")
	s.deletePod("web-1")
	s.becomesBroken("web-1")
	bad := s.podUIDs()
	s.image("web", image2)
	s.observed("web")
	s.quiet(12 * time.Second) // longer than a repair would wait
	s.samePods(bad)
	s.deletePod("web-1")
	s.steady("web", 1)
	s.wantImages("web", "nginx:1", "nginx:2")
}

// TestRepairMaxUnavailable: the update has deleted two pods. Only the lower one has been recreated, and it is bad. The repair
// takes no third pod.
func TestRepairMaxUnavailable(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 4, twoUnavailable))
	s.settled("web")
	from := s.last()
	s.image("web", broken)
	s.becomesBroken("web-2")
	s.observed("web")
	s.image("web", image2)
	s.settled("web")
	s.wantImages("web", "nginx:2", "nginx:2", "nginx:2", "nginx:2")
	s.inOrder([]string{"Pod"}, "gone web-3", "+web-2", "-web-2", "gone web-2", "+web-2", "ready web-2", "+web-3", "ready web-3", "-web-1")
	if most := s.mostUnavailable(from, 4); most != 2 {
		t.Errorf("at most %d pods were unavailable at once, want exactly 2: %s", most, s.pods())
	}
	for pod, times := range map[string]int{"web-3": 2, "web-2": 3, "web-1": 2, "web-0": 2} {
		s.times("Pod", "+"+pod, times)
	}
	s.unbroken()
}
