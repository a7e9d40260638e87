//go:build e2e

package e2e

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
)

// A template whose pods never become ready stops the update at its first pod, and a block says so. Correcting the template is
// enough: the pod that was never ready is replaced, and the update goes on (kubernetes/kubernetes#67250).
func TestBadTemplate(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3))
	s.settled("web")
	story := []string{born("web-0"), born("web-1"), born("web-2")}
	s.image("web", broken)
	story = append(story, gone("web-2"), "+web-2")
	s.reaches(story...)
	s.observed("web")
	s.blocked("web", "POD_NOT_READY", "Pod/web-2")
	s.quiet(12 * time.Second) // longer than a repair would wait: nothing is wrong with the revision

	s.image("web", image2)
	s.settled("web")
	s.wantPods(append(story, replaced("web-2"), replaced("web-1"), replaced("web-0"))...)
	s.wantImages("web", "nginx:2", "nginx:2", "nginx:2")
	if got := s.revisions(); len(got) != 3 {
		t.Errorf("%d revisions, want 3", len(got))
	}
	s.unbroken()
}

func repairs(policy string) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) { set.Annotations = map[string]string{"setplan.io/repair": policy} }
}
