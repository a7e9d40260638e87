//go:build e2e

package e2e

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// everyKind puts all kinds into one story.
var everyKind = []string{"StatefulSet", "ControllerRevision", "Pod", "PersistentVolumeClaim"}

// TestDeleteForeground: the set stays until the garbage collector has deleted all that it owns. Meanwhile the adapter recreates
// nothing and keeps the status current.
func TestDeleteForeground(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, retention(remove, retain)))
	s.settled("web")
	s.pin("web-1")
	s.deleteSet("web", metav1.DeletePropagationForeground)
	s.podsBecome("web-1")
	s.blocked("web", "SET_DELETING", "StatefulSet/web")
	eventually(t, 30*time.Second, "the status counts one pod", func() error { return s.hasReplicas("web", 1) })
	// Neither a new template nor more replicas change anything now.
	s.image("web", "registry.example/nginx:2")
	s.scale("web", 5)
	s.observed("web")
	s.quiet(1500 * time.Millisecond)
	if tried := s.tries("create controllerrevisions"); tried != 1 {
		t.Errorf("%d tries to create a revision, want 1: none for a set that is being deleted", tried)
	}
	s.unpin("web-1")
	s.setGone("web")
	s.podsBecome("")
	s.claimsBecome("")
	for _, name := range []string{"web-0", "web-1", "web-2"} {
		s.times("Pod", "+"+name, 1)
		s.inOrder(everyKind, "-web", "gone "+name, "gone web")
	}
	s.noPodDeletes()
}

// noPodDeletes checks that the adapter left the pods to the garbage collector.
func (s *scene) noPodDeletes() {
	s.Helper()
	if n := s.tries("delete pods"); n != 0 {
		s.Errorf("the adapter deleted pods %d times", n)
	}
}
