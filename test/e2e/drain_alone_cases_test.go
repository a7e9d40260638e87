//go:build e2e

package e2e

import (
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
)

const finalizerDrain = "setplan.io/drain"

// aloneCases are drains beside the built-in controller.
var aloneCases = map[string]func(s *scene){
	"scale down":        aloneScaleDown,
	"two ordinals":      aloneTwoOrdinals,
	"scale up":          aloneScaleUp,
	"replica missing":   aloneReplicaMissing,
	"set deleted":       aloneDeleted(metav1.DeletePropagationBackground),
	"set in foreground": aloneDeleted(metav1.DeletePropagationForeground),
	"whenScaled":        aloneHeld("whenScaled is Delete", drained(completes), retention(retain, remove)),
	"ask":               aloneHeld("sends no drain requests", drained(completes, adapters.AnnotationDrainAsk+"=true")),
	"whenDeleted":       aloneHeld("whenDeleted is Delete", drained(completes, adapters.AnnotationDrainOnDelete+"=true"), retention(remove, retain)),
}

func aloneScaleDown(s *scene) {
	set := s.create(webSet("web", 3, drained(completes)))
	s.settled("web")
	s.marked("www-web-2", set)
	s.scale("web", 2)
	s.claimsBecome("www-web-0 www-web-1")
	s.podsBecome("web-0 web-1")
	s.settled("web")
	s.inOrder(podsAndClaims, "gone web-2", "+web-2", "-www-web-2", "gone web-2")
	s.scale("web", 3)
	s.settled("web")
	s.times("PersistentVolumeClaim", "+www-web-2", 2)
	s.unbroken()
}

// aloneTwoOrdinals: the built-in controller deletes the next replica while a drain runs. The drains keep their order.
func aloneTwoOrdinals(s *scene) {
	set := s.create(webSet("web", 3, drained(idle)))
	s.settled("web")
	s.allMarked(set)
	s.scale("web", 1)
	s.draining("web-2")
	eventually(s, 60*time.Second, "the built-in controller takes web-1 away", func() error { return s.absent("web-1") })
	s.blocked("web", "DRAIN_WAITS", "Pod/web-1", "after the drains in progress")
	s.stays(time.Second, "web-1, which waits", func() error { return s.absent("web-1") })
	s.drainedOneByOne("web-2", "web-1")
	s.claimsBecome("www-web-0")
	s.podsBecome("web-0")
	s.inOrder(podsAndClaims, "-www-web-2", "-www-web-1")
	s.unbroken()
}

// aloneScaleUp: the drain pod's name keeps the built-in controller from recreating the replica with half-drained data.
func aloneScaleUp(s *scene) {
	set := s.create(webSet("web", 2, drained(idle)))
	s.settled("web")
	s.marked("www-web-1", set)
	uid := s.claim("www-web-1").UID
	s.scale("web", 1)
	pod := s.draining("web-1")
	s.scale("web", 2)
	s.blocked("web", "DRAINING", "Pod/web-1", "comes back empty", "Cancel")
	s.stays(2*time.Second, "the drain pod", s.drains(pod))
	s.succeed("web-1")
	s.replicaOf("web-1")
	s.settled("web")
	if s.claim("www-web-1").UID == uid {
		s.Error("web-1 has its earlier claim")
	}
	s.annotateSet("web", adapters.AnnotationDrainScaleUp, "Cancel")
	uid = s.claim("www-web-1").UID
	s.marked("www-web-1", set)
	s.scale("web", 1)
	s.draining("web-1")
	s.scale("web", 2)
	s.replicaOf("web-1")
	s.settled("web")
	if s.claim("www-web-1").UID != uid {
		s.Error("web-1 has another claim")
	}
	s.unbrokenSince(0, "web-1: claim www-web-1 is going away") // the built-in controller may see claims late
}

// aloneReplicaMissing: with a start ordinal, ordinals can exceed the number of replicas. One that is missing for a moment is
// recreated with its data.
func aloneReplicaMissing(s *scene) {
	set := s.create(webSet("web", 2, startingAt(5), drained(completes)))
	s.settled("web")
	s.allMarked(set)
	uid := s.claim("www-web-6").UID
	s.deletePod("web-6")
	s.happens("gone web-6")
	s.settled("web")
	if s.claim("www-web-6").UID != uid {
		s.Error("web-6 has another claim")
	}
	for _, pod := range s.created("Pod", "web-6") {
		if got := owners(pod); got != "StatefulSet/web*" {
			s.Errorf("a pod of its name was owned by %q", got)
		}
	}
}

// aloneDeleted: the built-in controller ignores a set that is being deleted, and background deletion leaves its pods alone
// while it exists. So this adapter must delete the replicas.
func aloneDeleted(propagation metav1.DeletionPropagation) func(s *scene) {
	return func(s *scene) {
		set := s.create(webSet("web", 2, drained(completes, adapters.AnnotationDrainOnDelete+"=true")))
		s.settled("web")
		s.marked("www-web-1", set)
		s.finalizerBecomes("web", finalizerDrain)
		s.deleteSet("web", propagation)
		s.setGone("web")
		s.claimsBecome("")
		s.podsBecome("")
		s.inOrder(podsAndClaims, "-www-web-1", "-www-web-0")
		s.unbroken()
	}
}

// aloneHeld: with a policy that the built-in controller would not wait for, nothing is drained.
func aloneHeld(why string, options ...func(*appsv1.StatefulSet)) func(s *scene) {
	return func(s *scene) {
		set := s.create(webSet("web", 2, options...))
		s.settled("web")
		s.blocked("web", "INVALID_POLICY", "StatefulSet/web", why)
		s.warned(set.UID, "InvalidPolicy", why)
		s.scale("web", 1)
		s.podsBecome("web-0")
		s.settled("web")
		s.blocked("web", "INVALID_POLICY", "StatefulSet/web", why)
		s.times("Pod", "+web-1", 1)
		if slices.Contains(s.get("web").Finalizers, finalizerDrain) {
			s.Error("the set has the finalizer of a drain")
		}
		for _, w := range s.written() {
			s.Errorf("%s %s was sent", w.what(), w.ObjectRef.Name)
		}
	}
}
