//go:build e2e

package e2e

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
)

const (
	image1 = "registry.example/nginx:1"
	image2 = "registry.example/nginx:2"
	image3 = "registry.example/nginx:3"
	broken = "registry.example/never-ready:1"
)

func TestRollingUpdate(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, minReady(1)))
	first := s.settled("web").Status
	s.image("web", image2)
	last := s.settled("web").Status
	s.wantPods(born("web-0"), born("web-1"), born("web-2"), replaced("web-2"), replaced("web-1"), replaced("web-0"))
	s.wantImages("web", "nginx:2", "nginx:2", "nginx:2")
	s.wantWaits(time.Second)

	revisions := s.revisions()
	if len(revisions) != 2 || revisions[0].Name != first.UpdateRevision || revisions[1].Name != last.UpdateRevision ||
		revisions[0].Revision != 1 || revisions[1].Revision != 2 {
		t.Errorf("revisions: %v, want 1 = %s and 2 = %s", revisions, first.UpdateRevision, last.UpdateRevision)
	}
	s.wantCompletedLast("web-0", last)
	// Pods are replaced, their claims stay.
	if got := len(s.events("PersistentVolumeClaim")); got != 3 {
		t.Errorf("claims: %v, want three created", s.events("PersistentVolumeClaim"))
	}
}

// wantCompletedLast checks that the status named the new revision as the update revision from the start, and as the current one
// only once the last pod had it and was ready.
func (s *scene) wantCompletedLast(lastPod string, want appsv1.StatefulSetStatus) {
	s.Helper()
	var ready int64
	states := 0
	for _, c := range s.all() {
		if c.kind() == "Pod" && c.name() == lastPod && c.event != watch.Deleted && isReady(c.object) &&
			c.object.GetLabels()[appsv1.ControllerRevisionHashLabelKey] == want.UpdateRevision && ready == 0 {
			ready = c.version
		}
		if c.kind() != "StatefulSet" {
			continue
		}
		update, _, _ := unstructured.NestedString(c.object.Object, "status", "updateRevision")
		current, _, _ := unstructured.NestedString(c.object.Object, "status", "currentRevision")
		if update == want.UpdateRevision && current != update {
			states++
		}
		if current == want.UpdateRevision && ready == 0 {
			s.Errorf("status.currentRevision is %s before %s was ready with it", current, lastPod)
		}
	}
	if states == 0 {
		s.Errorf("no status shows the update while it goes on")
	}
}
