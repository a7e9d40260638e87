//go:build e2e

package e2e

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
)

// In these tests users delete pods at any time. Whatever the set is about to do, the lost pod comes first, and the order is
// kept.

// readyAfter makes pods become ready some time after they start.
func readyAfter(delay string) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) {
		set.Spec.Template.Annotations = map[string]string{"setplan.io/test-ready-delay": delay}
	}
}

func TestPodDeletedWhileScalingUp(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	s.create(webSet("web", 2, withoutClaims, held))
	then("+web-0")
	s.release("web-0")
	then("ready web-0", "+web-1")
	s.release("web-1")
	then("ready web-1")
	s.settled("web")
	s.scale("web", 4)
	then("+web-2")
	s.deletePod("web-0")
	then(gone("web-0"), "+web-0")
	// web-2 is ready, but web-3 waits for web-0.
	s.release("web-2")
	then("ready web-2")
	s.blocked("web", "POD_NOT_READY", "Pod/web-0")
	s.quiet(time.Second)
	s.release("web-0")
	then("ready web-0", "+web-3")
	s.release("web-3")
	then("ready web-3")
	s.settled("web")
}

func TestPodDeletedWhileScalingDown(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	s.create(webSet("web", 4, withoutClaims, readyAfter("1s")))
	s.settled("web")
	then(born("web-0"), born("web-1"), born("web-2"), born("web-3"))
	s.pin("web-3")
	s.scale("web", 1)
	then("-web-3")
	s.deletePod("web-0")
	s.happensAgain("+web-0", 2)
	s.unpin("web-3")
	s.settled("web")
	// Either may come first; web-2 is deleted after both.
	s.inOrder([]string{"Pod"}, "gone web-0", "+web-0", "ready web-0", "-web-2", "gone web-2", "-web-1", "gone web-1")
	s.inOrder([]string{"Pod"}, "gone web-3", "-web-2")
	s.times("Pod", "+web-0", 2)
	for _, word := range []string{"+web-1", "+web-2", "+web-3"} {
		s.times("Pod", word, 1)
	}
}

// TestPodDeletedWhileRolling: the rollout has no partition, so a deleted pod is recreated at the new revision and not replaced
// a second time. The rollout waits for it meanwhile.
func TestPodDeletedWhileRolling(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	s.create(webSet("web", 4, withoutClaims, readyAfter("1s")))
	s.settled("web")
	then(born("web-0"), born("web-1"), born("web-2"), born("web-3"))
	s.pin("web-3")
	s.image("web", "registry.example/nginx:2")
	then("-web-3")
	s.deletePod("web-1")
	s.happensAgain("+web-1", 2)
	s.unpin("web-3")
	s.settled("web")
	s.inOrder([]string{"Pod"}, "gone web-1", "+web-1", "ready web-1", "+web-3", "ready web-3", "-web-2", "+web-2", "ready web-2", "-web-0", "+web-0")
	for _, word := range []string{"+web-0", "+web-1", "+web-2", "+web-3"} {
		s.times("Pod", word, 2)
	}
	s.wantImages("web", "nginx:2", "nginx:2", "nginx:2", "nginx:2")
}

// TestAllPodsDeletedAtOnce: they are recreated from ordinal 0 up, one after another, with their earlier claims.
func TestAllPodsDeletedAtOnce(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, minReady(1)))
	s.settled("web")
	for _, name := range []string{"web-0", "web-1", "web-2"} {
		s.pin(name)
		s.deletePod(name)
	}
	s.quiet(time.Second)
	// The first to be gone is not the first to be recreated.
	s.unpin("web-2")
	s.podsBecome("web-0 web-1")
	s.unpin("web-1")
	s.podsBecome("web-0")
	s.quiet(time.Second)
	s.unpin("web-0")
	s.settled("web")
	s.wantPods(born("web-0"), born("web-1"), born("web-2"), "-web-0", "-web-1", "-web-2",
		"gone web-2", "gone web-1", "gone web-0", born("web-0"), born("web-1"), born("web-2"))
	for _, name := range []string{"www-web-0", "www-web-1", "www-web-2"} {
		s.times("PersistentVolumeClaim", "+"+name, 1)
	}
}
