//go:build e2e

package e2e

import (
	"testing"
	"time"

	"github.com/setplan/setplan/adapters"
)

// TestDrainStartOrdinal: an ordinal below the range is drained like one above, and after it. Scaled up again, it begins empty.
func TestDrainStartOrdinal(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	set := s.create(webSet("web", 3, startingAt(1), drained(idle)))
	s.settled("web")
	s.allMarked(set)
	kept, lost := s.claim("www-web-2").UID, s.claim("www-web-1").UID
	s.patch("web", `{"spec":{"replicas":1,"ordinals":{"start":2}}}`)
	s.draining("web-3")
	s.blocked("web", "DRAIN_WAITS", "Pod/web-1", "once ordinal 3 is drained")
	s.stays(time.Second, "web-1, which waits", func() error { return s.isReplica("web-1") })
	s.drainedOneByOne("web-3", "web-1")
	s.claimsBecome("www-web-2")
	s.podsBecome("web-2")
	s.inOrder(podsAndClaims, "-www-web-3", "-web-3", "gone web-3", "-web-1", "gone web-1", "+web-1", "-www-web-1", "gone web-1")
	s.patch("web", `{"spec":{"replicas":2,"ordinals":{"start":1}}}`)
	s.settled("web")
	if s.claim("www-web-2").UID != kept || s.claim("www-web-1").UID == lost {
		t.Error("ordinal 2 has another claim, or ordinal 1 its earlier one")
	}
	s.unbroken()
}

// TestDrainMaxParallel: replicas beyond the limit keep running until their turn.
func TestDrainMaxParallel(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	set := s.create(webSet("web", 4, parallel, drained(idle, adapters.AnnotationDrainMaxParallel+"=2")))
	s.settled("web")
	s.allMarked(set)
	since := s.last()
	s.scale("web", 1)
	s.draining("web-3")
	s.draining("web-2")
	s.blocked("web", "DRAIN_WAITS", "Pod/web-1", "the limit is 2 ordinals at a time")
	s.stays(time.Second, "web-1, which waits", func() error { return s.isReplica("web-1") })
	s.drainedOneByOne("web-2", "web-1", "web-3")
	s.claimsBecome("www-web-0")
	s.podsBecome("web-0")
	if most := s.mostLeaving(since); most != 2 {
		t.Errorf("%d ordinals were on their way out at once, want 2", most)
	}
	s.unbroken()
}
