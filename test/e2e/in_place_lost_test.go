//go:build e2e

package e2e

import (
	"fmt"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// isReplaced waits until another pod has the name of one, is ready, and has an image. It is at the revision that it was made for, and nothing is under way in it.
func (s *scene) isReplaced(pod string, was types.UID, image, revision string) {
	s.Helper()
	eventually(s, time.Minute, pod+" comes back with "+image, func() error {
		if now := s.podUIDs()[pod]; now == "" || now == was {
			return fmt.Errorf("it has the uid %q", now)
		}
		return s.hasImage(pod, image)
	})
	s.caughtUp(s)
	made := s.created("Pod", pod)
	if first := typedPod(made[len(made)-1]); revisionOf(first) != revision || first.Spec.Containers[0].Image != image || note(first) != "" {
		s.Errorf("%s was made with %s at %s, noted %q; want %s at %s", pod, imageOf(first), revisionOf(first), note(first), image, revision)
	}
}

// TestInPlaceLost: pods fail and are lost while images change in place. One that was on its way comes back at the new revision, one below the partition
// at the old one, also if it was on its way when the partition was raised. Nothing of what was under way comes back with it, and the others go on.
func TestInPlaceLost(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	h := newHosts(s)
	then := s.toldInPlace()
	s.create(webSet("web", 4, parallel, withoutClaims, partition(1), annotated("setplan.io/in-place", "InPlaceOnly")))
	first := s.settled("web").Status.UpdateRevision
	h.looked()
	pods := s.podUIDs()

	h.ignore("web-3", true)
	s.image("web", image2)
	then("image web-3")
	second := s.observed("web").Status.UpdateRevision
	s.deletePod("web-0")
	s.isReplaced("web-0", pods["web-0"], image1, first)
	s.podStatus("web-3", ended("Failed", "Error"))
	s.isReplaced("web-3", pods["web-3"], image2, second)
	h.ignore("web-2", true)
	h.ignore("web-3", false)
	then("image web-2")
	s.deletePod("web-2")
	s.isReplaced("web-2", pods["web-2"], image2, second)
	h.ignore("web-2", false)
	then("image web-1", "there web-1")
	s.steady("web", 3)
	s.wantImages("web", "nginx:1", "nginx:2", "nginx:2", "nginx:2")

	// The set has never been at the second revision as a whole, so the current one is the first.
	h.looked()
	pods["web-3"] = s.pod("web-3").UID
	s.image("web", missing)
	then("image web-3")
	eventually(t, 20*time.Second, "web-3 has no image", func() error { return s.waitsFor("web-3", "ImagePullBackOff") })
	s.patch("web", `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":4}}}}`)
	s.observed("web")
	s.deletePod("web-3")
	s.isReplaced("web-3", pods["web-3"], image1, first)
	s.steady("web", 0)
	s.wantImages("web", "nginx:1", "nginx:2", "nginx:2", "nginx:1")
	if now := s.pod("web-1"); now.UID != pods["web-1"] {
		t.Error("web-1 has not gone, and is another pod")
	}
	for pod, times := range map[string]int{"web-0": 2, "web-1": 1, "web-2": 2, "web-3": 3} {
		s.times("Pod", "+"+pod, times)
	}
	// The test deletes these.
	s.unbrokenSince(0, "web-0: the set keeps its pods", "web-0: pod 0 is below the partition", "web-2: the set keeps its pods",
		"web-2: pod 2 is at the update revision", "web-3: the set keeps its pods", "web-3: pod 3 is at the update revision")
	for _, lie := range h.untrue() {
		t.Error(lie)
	}
}
