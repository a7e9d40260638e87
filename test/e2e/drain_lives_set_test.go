//go:build e2e

package e2e

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
)

// setEmptied: a deleted set stays until all of it is drained, from the highest ordinal down.
func setEmptied(propagation metav1.DeletionPropagation) func(r *relay) {
	return func(r *relay) {
		set := r.create(webSet("web", 2, drained(completes, adapters.AnnotationDrainOnDelete+"=true")))
		r.settled("web")
		r.allMarked(set)
		r.finalizerBecomes("web", finalizerDrain)
		r.begin(drainWrites)
		r.deleteSet("web", propagation)
		r.until("all is gone", func() error {
			if err := r.isGone("web"); err != nil {
				return err
			}
			return r.leaves("", "")()
		})
		r.finish("PATCH persistentvolumeclaims/www-web-1", "POST pods", "DELETE persistentvolumeclaims/www-web-1",
			"DELETE pods/web-1", "DELETE persistentvolumeclaims/www-web-0", "PATCH statefulsets/web")
		r.caughtUp(r)
		r.inOrder(everyKind, "-web", "gone web-1", "+web-1", "-www-web-1", "gone web-1", "+web-0", "-www-web-0", "gone web-0", "gone web")
		r.times("Pod", "+web-1", 2)
		r.times("Pod", "+web-0", 2)
	}
}

// setOrphaned: nothing is drained, and no trace of the drain is left.
func setOrphaned(r *relay) {
	set := r.create(webSet("web", 3, drained(idle, adapters.AnnotationDrainOnDelete+"=true")))
	r.settled("web")
	r.allMarked(set)
	r.finalizerBecomes("web", finalizerDrain)
	r.scale("web", 2)
	r.draining("web-2")
	r.begin(drainWrites)
	r.deleteSet("web", metav1.DeletePropagationOrphan)
	r.until("the set is gone", func() error { return r.isGone("web") })
	r.finish("DELETE pods/web-2", "PATCH statefulsets/web")
	r.podsBecome("web-0 web-1")
	r.claimsBecome("www-web-0 www-web-1 www-web-2")
}
