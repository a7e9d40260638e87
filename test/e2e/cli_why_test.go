//go:build e2e

package e2e

import (
	"testing"
	"time"
)

// The tests in this file and the next build a stuck set, ask why, run the remedy as printed, and check that the set goes on.

func TestWhyBadImage(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, image(broken)))
	s.reaches("+web-0")
	// This is what a kubelet reports. kwok pulls no images.
	eventually(t, 30*time.Second, "web-0 runs", func() error { return s.hasPhase("web-0", "Running") })
	s.podStatus("web-0", `{"status":{"containerStatuses":[{"name":"nginx","image":"`+broken+`","imageID":"","ready":false,"restartCount":0,
		"state":{"running":null,"waiting":{"reason":"ImagePullBackOff","message":"Back-off pulling image: not found"}}}]}}`)
	r := s.firstCause("web", "POD_NOT_READY", "Pod/web-0", "image "+broken+" of container nginx cannot be pulled", "Back-off pulling image")
	if len(r.Waiting) != 1 || r.Waiting[0] != "web-1" {
		t.Errorf("waiting are %v, want web-1", r.Waiting)
	}
	s.do(r.Commands[0], "IMAGE", image2) // the existing pod is repaired
	s.unblocked("web")
}

func TestWhyTerminatingClaim(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2))
	s.settled("web")
	s.pinClaim("www-web-1")
	s.deleteClaim("www-web-1")
	s.deletePod("web-1")
	r := s.firstCause("web", "CLAIM_TERMINATING", "PersistentVolumeClaim/www-web-1", "The finalizer setplan.io/test keeps it")
	s.do(r.Commands[0])
	s.unblocked("web")
}
