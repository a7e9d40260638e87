//go:build e2e

package e2e

import (
	"fmt"

	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
)

// comesBackEmpty: the adapter is also killed right after the drain pod has succeeded.
func comesBackEmpty(r *relay) {
	uid := r.scaledUpAgain("Finish")
	r.kill()
	r.succeed("web-1")
	r.until("web-1 is a replica", func() error { return r.isReplica("web-1") })
	r.finish("PATCH persistentvolumeclaims/www-web-1", "POST pods", "DELETE persistentvolumeclaims/www-web-1", "DELETE pods/web-1")
	r.settled("web")
	if r.claim("www-web-1").UID == uid {
		r.Error("it has its earlier claim")
	}
	r.times("Pod", "+web-1", 3)
	r.times("PersistentVolumeClaim", "+www-web-1", 2)
}

// comesBackToItsData: the drain pod and the attempt on the claim are removed.
func comesBackToItsData(r *relay) {
	uid := r.scaledUpAgain("Cancel")
	r.until("web-1 is a replica and its claim bears no attempt", func() error {
		if attempts := r.claim("www-web-1").Annotations[adapters.AnnotationDrainAttempts]; attempts != "" {
			return fmt.Errorf("%s attempts", attempts)
		}
		return r.isReplica("web-1")
	})
	r.finish("POST pods", "DELETE pods/web-1", "PATCH persistentvolumeclaims/www-web-1")
	r.settled("web")
	if r.claim("www-web-1").UID != uid {
		r.Error("it has another claim")
	}
	r.times("Pod", "+web-1", 3)
}

// scaledUpAgain makes a set whose ordinal 1 is wanted again while it is drained, and returns the uid of its claim.
func (r *relay) scaledUpAgain(scaleUp string) types.UID {
	r.Helper()
	set := r.create(webSet("web", 2, drained(idle, adapters.AnnotationDrainScaleUp+"="+scaleUp)))
	r.settled("web")
	r.allMarked(set)
	uid := r.claim("www-web-1").UID
	r.begin(drainWrites)
	r.scale("web", 1)
	r.until("web-1 is drained", func() error { return r.isDraining("web-1") })
	r.scale("web", 2)
	return uid
}
