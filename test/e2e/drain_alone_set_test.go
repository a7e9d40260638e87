//go:build e2e

package e2e

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
)

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
