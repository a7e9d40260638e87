//go:build e2e

package e2e

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
)

// TestDrain: four replicas to two. Under OrderedReady ordinal 3 is drained and gone before ordinal 2 is touched.
func TestDrain(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]func(*appsv1.StatefulSet){"ordered": {drained(completes)}, "parallel": {drained(completes), parallel}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, shared.cluster)
			set := s.create(webSet("web", 4, options...))
			s.settled("web")
			for _, claim := range []string{"www-web-0", "www-web-3"} {
				s.marked(claim, set)
			}
			s.scale("web", 2)
			s.claimsBecome("www-web-0 www-web-1")
			s.podsBecome("web-0 web-1")
			s.settled("web")
			for _, pod := range []string{"web-2", "web-3"} {
				s.inOrder(podsAndClaims, "-"+pod, "gone "+pod, "+"+pod, "-www-"+pod, "-"+pod, "gone "+pod)
				s.times("Pod", "+"+pod, 2)
				s.times("PersistentVolumeClaim", "-www-"+pod, 1)
				in := pod + " in StatefulSet web successful"
				s.tells("web", "1 SuccessfulDelete Delete Pod "+in, "1 DrainStarted Create drain Pod "+in+". Ordinal ",
					"1 SuccessfulDeleteClaim Delete Claim www-"+pod+" of Pod "+in+". The drain pod has succeeded", "1 DrainFinished Delete drain Pod "+in)
			}
			if name == "ordered" {
				s.inOrder(podsAndClaims, "+web-3", "-web-3", "+web-3", "-www-web-3", "-web-3", "gone web-3", "-web-2", "+web-2", "-www-web-2", "gone web-2")
			}
			s.unbroken()

			// Scaled up again, the ordinals begin with empty claims.
			s.scale("web", 4)
			s.settled("web")
			s.times("PersistentVolumeClaim", "+www-web-3", 2)
			s.marked("www-web-3", set)
			s.unbroken()
		})
	}
}
