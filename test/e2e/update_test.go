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

func TestCanary(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 4, partition(3)))
	first := s.settled("web").Status.UpdateRevision
	story := []string{born("web-0"), born("web-1"), born("web-2"), born("web-3")}

	s.image("web", image2)
	set := s.steady("web", 1)
	story = append(story, replaced("web-3"))
	s.wantPods(story...)
	s.wantImages("web", "nginx:1", "nginx:1", "nginx:1", "nginx:2")
	if st := set.Status; st.CurrentRevision != first || st.CurrentReplicas != 3 || st.UpdateRevision == first {
		t.Errorf("status is %+v, want three at %s", st, first)
	}
	s.blocked("web", "PARTITION_HELD", "Pod/web-0")
	s.quiet(time.Second)

	// A pod below the partition is recreated at the old revision, one above at the new.
	s.deletePod("web-0")
	story = append(story, replaced("web-0"))
	s.reaches(story...)
	s.deletePod("web-3")
	s.steady("web", 1)
	story = append(story, replaced("web-3"))
	s.reaches(story...)
	s.wantImages("web", "nginx:1", "nginx:1", "nginx:1", "nginx:2")

	// The partition is lowered step by step, to 0.
	s.patch("web", `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":2}}}}`)
	s.steady("web", 2)
	s.quiet(500 * time.Millisecond)
	story = append(story, replaced("web-2"))
	s.wantPods(story...)
	s.patch("web", `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}`)
	s.steady("web", 4)
	s.wantPods(append(story, replaced("web-1"), replaced("web-0"))...)
	s.wantImages("web", "nginx:2", "nginx:2", "nginx:2", "nginx:2")
	s.settled("web")
	if got := s.revisions(); len(got) != 2 {
		t.Errorf("%d revisions, want 2: a partition makes none", len(got))
	}
}

// Ordinals at or above the partition start at the new revision when a canary is scaled up.
func TestCanaryScaledUp(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, withoutClaims, partition(3)))
	s.settled("web")
	s.image("web", image2)
	s.observed("web")
	s.scale("web", 5)
	s.steady("web", 2)
	s.wantPods(born("web-0"), born("web-1"), born("web-2"), born("web-3"), born("web-4"))
	s.wantImages("web", "nginx:1", "nginx:1", "nginx:1", "nginx:2", "nginx:2")
}

func TestOnDelete(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, onDelete))
	first := s.settled("web").Status.UpdateRevision
	story := []string{born("web-0"), born("web-1"), born("web-2")}
	s.image("web", image2)
	s.steady("web", 0)
	s.blocked("web", "ON_DELETE", "Pod/web-0")
	s.quiet(time.Second)
	s.wantPods(story...)
	s.deletePod("web-1")
	s.steady("web", 1)
	story = append(story, replaced("web-1"))
	s.wantPods(story...)
	s.wantImages("web", "nginx:1", "nginx:2", "nginx:1")
	s.deletePod("web-0")
	s.steady("web", 2)
	s.deletePod("web-2")
	s.steady("web", 3)
	s.wantPods(append(story, replaced("web-0"), replaced("web-2"))...)
	s.wantImages("web", "nginx:2", "nginx:2", "nginx:2")
	// As with the built-in controller, an update by OnDelete never completes.
	if st := s.get("web").Status; st.CurrentRevision != first || st.UpdateRevision == first {
		t.Errorf("status is %+v, want the current revision to stay %s", st, first)
	}
}
