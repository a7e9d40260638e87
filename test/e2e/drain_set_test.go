//go:build e2e

package e2e

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
)

const finalizerDrain = "setplan.io/drain"

// TestDrainSetDeleted: a deleted set is drained first, from the highest ordinal down.
func TestDrainSetDeleted(t *testing.T) {
	t.Parallel()
	for _, propagation := range []metav1.DeletionPropagation{metav1.DeletePropagationBackground, metav1.DeletePropagationForeground} {
		for policy, options := range map[string][]func(*appsv1.StatefulSet){"ordered": {}, "parallel": {parallel}} {
			t.Run(string(propagation)+" "+policy, func(t *testing.T) {
				t.Parallel()
				s := newScene(t, shared.cluster)
				options := append(options, drained(completes, adapters.AnnotationDrainOnDelete+"=true"), retention(remove, retain))
				set := s.create(webSet("web", 3, options...))
				s.settled("web")
				s.marked("www-web-2", set)
				s.finalizerBecomes("web", finalizerDrain)
				s.tells("web", "1 SuccessfulAddFinalizer Add finalizer setplan.io/drain to StatefulSet web successful. ")
				s.ownersBecome("www-web-2", "") // whenDeleted is Delete, but the drain comes first
				s.deleteSet("web", propagation)
				s.setGone("web")
				s.claimsBecome("")
				s.podsBecome("")
				s.caughtUp(s)
				for _, pod := range []string{"web-0", "web-1", "web-2"} {
					s.inOrder(everyKind, "-web", "gone "+pod, "+"+pod, "-www-"+pod, "gone "+pod, "gone web")
				}
				if policy == "ordered" {
					s.inOrder(podsAndClaims, "-www-web-2", "-www-web-1", "-www-web-0")
				}
				s.unbroken()
			})
		}
	}
}
