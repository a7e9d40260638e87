//go:build e2e

package e2e

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// agrees gives the answer of a gate for the update revision.
func (s *scene) agrees(pod, gate string) {
	s.Helper()
	s.patchPod(pod, fmt.Sprintf(`{"metadata":{"annotations":{"setplan.io/%s":%q}}}`, gate, s.observed("web").Status.UpdateRevision))
}

// takesBack takes the answer of a gate back.
func (s *scene) takesBack(pod, gate string) {
	s.Helper()
	s.patchPod(pod, `{"metadata":{"annotations":{"setplan.io/`+gate+`":null}}}`)
}

// TestInPlaceGates: what changes in place has its turn by rank, the leader last, and each pod waits until somebody has agreed: with images, and with
// labels, which cost no budget. What somebody has agreed to for another pod counts for that one alone.
func TestInPlaceGates(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	h := newHosts(s)
	then := s.toldInPlace()
	s.create(webSet("web", 3, parallel, withoutClaims, annotated("setplan.io/in-place", "InPlaceOnly"),
		annotated("setplan.io/update-rank", "setplan.io/rank"), annotated("setplan.io/before-update", "backup-agent")))
	s.settled("web")
	h.looked()
	pods, order := s.podUIDs(), []string{"web-1", "web-0", "web-2"}
	for rank, pod := range order {
		s.patchPod(pod, fmt.Sprintf(`{"metadata":{"labels":{"setplan.io/rank":"%d"}}}`, rank+1))
	}

	s.image("web", image2)
	s.blocked("web", "UPDATE_GATED", "Pod/web-1", "backup-agent")
	s.agrees("web-2", "before-update")
	s.agrees("web-0", "before-update")
	s.stays(time.Second, "web-1, to which nobody has agreed,", func() error {
		if told := s.inPlace(); len(told) != 0 {
			return fmt.Errorf("in place: %v", told)
		}
		return s.isBlocked("web", "UPDATE_GATED", "Pod/web-1", "backup-agent")
	})
	s.agrees("web-1", "before-update")
	then("image web-1", "there web-1", "image web-0", "there web-0", "image web-2", "there web-2")
	s.settled("web")

	from := s.last()
	s.patch("web", `{"spec":{"template":{"metadata":{"labels":{"tier":"gold"}}}}}`)
	for i, pod := range order {
		s.blocked("web", "UPDATE_GATED", "Pod/"+pod, "backup-agent")
		if got := s.tiersSince(from); len(got) != i {
			t.Errorf("nobody has agreed to %s, and these have the label: %v", pod, got)
		}
		s.agrees(pod, "before-update")
		eventually(t, 20*time.Second, pod+" has the label", func() error {
			if s.pod(pod).Labels["tier"] != "gold" {
				return errors.New("it has not")
			}
			return nil
		})
	}
	s.settled("web")
	s.samePods(pods)
	for _, lie := range h.untrue() {
		t.Error(lie)
	}
	s.unbroken()
}

// tiersSince are the pods that got the label tier after a version, in their order.
func (s *scene) tiersSince(version int64) (got []string) {
	s.caughtUp(s)
	last := map[string]string{}
	for _, c := range s.all() {
		if c.kind() != "Pod" {
			continue
		}
		tier := c.object.GetLabels()["tier"]
		if c.version > version && tier != last[c.name()] {
			got = append(got, c.name())
		}
		last[c.name()] = tier
	}
	return got
}
