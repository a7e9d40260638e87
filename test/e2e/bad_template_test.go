//go:build e2e

package e2e

import (
	"strings"
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

// A set whose policy says so gets what the built-in controller does: somebody has to delete the pod.
func TestBadTemplateNever(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, repairs("Never")))
	s.settled("web")
	story := []string{born("web-0"), born("web-1")}
	s.image("web", broken)
	story = append(story, gone("web-1"), "+web-1")
	s.reaches(story...)
	s.image("web", image2)
	s.observed("web")
	s.blocked("web", "POD_NOT_READY", "Pod/web-1", "not ready", "kubectl delete pod web-1")
	s.quiet(12 * time.Second)
	s.wantPods(story...)

	s.patch("web", `{"metadata":{"annotations":{"setplan.io/repair":"never"}}}`)
	s.blocked("web", "INVALID_POLICY", "StatefulSet/web", "setplan.io/repair", `"never"`)
	s.quiet(time.Second)
	s.deletePod("web-1")
	s.settled("web")
	s.wantPods(append(story, replaced("web-1"), replaced("web-0"))...)
}

func repairs(policy string) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) { set.Annotations = map[string]string{"setplan.io/repair": policy} }
}

// Under Parallel a broken pod is replaced as soon as the template is corrected.
func TestBadTemplateParallel(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, parallel))
	s.settled("web")
	before := len(s.events("Pod"))
	s.image("web", broken)
	eventually(t, 60*time.Second, "web-2 is at the broken template", func() error { return s.hasImage("web-2", broken) })
	s.observed("web")
	s.blocked("web", "UPDATE_BUDGET", "Pod/web-1")
	s.quiet(1500 * time.Millisecond)
	s.image("web", image2)
	s.settled("web")
	deleted := strings.Join(words(s.events("Pod")[before:], "-"), " ")
	if want := "-web-2 -web-2 -web-1 -web-0"; deleted != want {
		t.Errorf("deleted %s, want %s", deleted, want)
	}
	s.wantImages("web", "nginx:2", "nginx:2", "nginx:2")
}

// The first start of a set gets stuck in the same way, at the first pod, and heals in the same way.
func TestBadTemplateFromTheStart(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, image(broken)))
	s.reaches("+web-0")
	s.blocked("web", "POD_NOT_READY", "Pod/web-0")
	s.image("web", image2)
	s.settled("web")
	s.wantPods("+web-0", replaced("web-0"), born("web-1"))
	s.wantImages("web", "nginx:2", "nginx:2")
	s.unbroken()
}
