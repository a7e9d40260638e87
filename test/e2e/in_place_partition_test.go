//go:build e2e

package e2e

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// undo is kubectl rollout undo, and setplan's for our own kind, which kubectl does not know.
func (s *scene) undo(set string) {
	s.Helper()
	if isOwn() {
		s.mustSetplan("rollout", "undo", "ssts/"+set)
		return
	}
	s.mustKubectl("rollout", "undo", "statefulset/"+set)
}

// TestInPlacePartition: images change in place in the pods from the partition on, and the pod below is not written at all. A rollback goes the same way:
// the label is that of the newer image until the older one is proven. Where minReadySeconds are asked for, they count from the start of the container,
// also if nobody has ever said that the pod was not ready.
func TestInPlacePartition(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	h := newHosts(s)
	then := s.toldInPlace()
	s.create(webSet("web", 3, parallel, withoutClaims, partition(1), annotated("setplan.io/in-place", "InPlaceOnly")))
	first := s.settled("web").Status.UpdateRevision
	h.looked()
	pods, below := s.podUIDs(), s.pod("web-0")

	s.image("web", image2)
	then("image web-2", "there web-2", "image web-1", "there web-1")
	second := s.steady("web", 2).Status.UpdateRevision
	if now := s.pod("web-0"); now.ResourceVersion != below.ResourceVersion {
		t.Errorf("web-0 is below the partition, and was written: it has %s at %s, noted %q", imageOf(now), revisionOf(now), note(now))
	}

	h.ignore("web-2", true)
	s.undo("web")
	then("image web-2")
	s.stays(time.Second, "web-2, whose host has not looked,", func() error {
		if pod := s.pod("web-2"); revisionOf(pod) != second || imageOf(pod) != "nginx:1" || len(s.inPlace()) != 5 {
			return fmt.Errorf("it has %s at %s, in place: %v", imageOf(pod), revisionOf(pod), s.inPlace())
		}
		return nil
	})
	h.ignore("web-2", false)
	then("there web-2", "image web-1", "there web-1")
	if last := s.settled("web").Status.UpdateRevision; last != first {
		t.Errorf("it is at %s, and was at %s before the update", last, first)
	}
	s.wantImages("web", "nginx:1", "nginx:1", "nginx:1")

	h.quickly()
	s.patch("web", `{"spec":{"minReadySeconds":3}}`)
	s.settled("web") // a pod that is not available yet would cost nothing
	s.image("web", image3)
	then("image web-2", "there web-2", "image web-1", "there web-1")
	s.steady("web", 2)
	started, next := s.pod("web-2").Status.ContainerStatuses[0].State.Running.StartedAt, s.firstWith("web-1", image3)
	if waited := next.at.Sub(started.Time); waited < 3*time.Second {
		t.Errorf("web-1 got its image %v after the container of web-2 had started", waited)
	}
	if fewest := s.fewestAvailable(s.firstWith("web-2", image3).version, next.version, 1); fewest != 2 {
		t.Errorf("while web-2 was updated and not yet available, %d pods were", fewest)
	}
	if unready := words(s.events("Pod"), "unready "); !slices.Equal(unready, []string{"unready web-2", "unready web-1", "unready web-2", "unready web-1"}) {
		t.Errorf("pods were %v, and none in the third update", unready)
	}
	s.samePods(pods)
	s.unbroken()
	for _, lie := range h.untrue() {
		t.Error(lie)
	}
}

// firstWith is the change since which a pod has had an image.
func (s *scene) firstWith(pod, image string) change {
	s.Helper()
	for _, c := range s.all() {
		if c.kind() == "Pod" && c.name() == pod && typedPod(c.object).Spec.Containers[0].Image == image {
			return c
		}
	}
	s.Fatalf("%s has never had %s", pod, image)
	return change{}
}

// fewestAvailable is how few pods a set has counted as available, between two versions and with so many updated.
func (s *scene) fewestAvailable(after, before int64, updated int32) int32 {
	s.Helper()
	fewest := int32(1 << 20)
	for _, c := range s.all() {
		if c.kind() != "StatefulSet" || c.version <= after || c.version >= before {
			continue
		}
		if status := s.typed(c.object).Status; status.UpdatedReplicas == updated {
			fewest = min(fewest, status.AvailableReplicas)
		}
	}
	return fewest
}
