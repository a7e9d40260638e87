//go:build e2e

package e2e

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/setplan/setplan/adapters"
)

// rangeMoves: the range shrinks from both ends. The highest ordinal is drained and gone before the lowest one is, and each of
// their claims is deleted once.
func rangeMoves(r *relay) {
	set := r.create(webSet("web", 3, startingAt(1), drained(completes), twoClaims))
	r.settled("web")
	r.allMarked(set)
	r.begin(drainWrites)
	if r.alone {
		r.kill() // no adapter runs when the replica is deleted
	}
	r.patch("web", `{"spec":{"replicas":1,"ordinals":{"start":2}}}`)
	if r.alone {
		eventually(r, 60*time.Second, "web-3 is gone", func() error { return r.absent("web-3") })
	}
	r.until("ordinal 2 is left", r.leaves("logs-web-2 www-web-2", "web-2"))
	r.finish("PATCH persistentvolumeclaims/www-web-3", "POST pods", "DELETE persistentvolumeclaims/www-web-3",
		"DELETE persistentvolumeclaims/logs-web-3", "DELETE pods/web-3", "DELETE persistentvolumeclaims/www-web-1")
	r.settled("web")
	r.inOrder(podsAndClaims, "gone web-3", "+web-3", "-www-web-3", "gone web-3", "+web-1", "-www-web-1", "gone web-1")
	if !r.alone {
		r.inOrder(podsAndClaims, "gone web-3", "+web-3", "-www-web-3", "gone web-3", "-web-1", "gone web-1", "+web-1")
	}
	for _, pod := range []string{"web-1", "web-3"} {
		r.times("Pod", "+"+pod, 2)
		r.times("PersistentVolumeClaim", "-www-"+pod, 1)
		r.times("PersistentVolumeClaim", "-logs-"+pod, 1)
	}
	r.times("Pod", "+web-2", 1)
}

// someAtOnce: under Parallel at most two ordinals leave at once, although every new adapter has forgotten how many there are.
func someAtOnce(r *relay) {
	set := r.create(webSet("web", 4, parallel, drained(completes, adapters.AnnotationDrainMaxParallel+"=2")))
	r.settled("web")
	r.allMarked(set)
	r.begin(drainWrites)
	r.scale("web", 1)
	r.until("ordinal 0 is left", r.leaves("www-web-0", "web-0"))
	r.finish("POST pods", "PATCH persistentvolumeclaims/www-web-1", "DELETE pods/web-1")
	r.settled("web")
	for ordinal := 1; ordinal < 4; ordinal++ {
		r.times("Pod", fmt.Sprint("+web-", ordinal), 2)
		r.times("PersistentVolumeClaim", fmt.Sprint("-www-web-", ordinal), 1)
	}
	if most := r.mostDrained(); most > 2 {
		r.Errorf("%d ordinals were drained at once, want at most 2", most)
	}
	if most := r.mostLeaving(r.since); !r.alone && most > 2 {
		r.Errorf("%d ordinals were leaving at once, want at most 2", most)
	}
}

// mostDrained is the largest number of drain pods at one time.
func (s *scene) mostDrained() int {
	s.Helper()
	s.caughtUp(s)
	most := 0
	s.replay(func(_ change, pods map[string]*unstructured.Unstructured) {
		n := 0
		for _, pod := range pods {
			if pod.GetAnnotations()[adapters.AnnotationDrainSet] != "" {
				n++
			}
		}
		most = max(most, n)
	})
	return most
}

// mostLeaving is the largest number of claims after a version that had no staying replica at one time.
func (s *scene) mostLeaving(since int64) int {
	s.Helper()
	s.caughtUp(s)
	most := 0
	stays, claims := map[string]bool{}, map[string]bool{}
	for _, c := range s.all() {
		here := c.event != "DELETED" && c.object.GetDeletionTimestamp() == nil
		switch c.kind() {
		case "Pod":
			stays["www-"+c.name()] = here && owners(c.object) == "StatefulSet/web*"
		case "PersistentVolumeClaim":
			claims[c.name()] = here
		}
		leaving := 0
		for claim, there := range claims {
			if there && !stays[claim] {
				leaving++
			}
		}
		if c.version > since {
			most = max(most, leaving)
		}
	}
	return most
}

// whenScaledDelete: without protection the garbage collector would delete the claim with the replica.
func whenScaledDelete(r *relay) {
	set := r.create(webSet("web", 2, drained(completes), retention(retain, remove)))
	r.settled("web")
	r.allMarked(set)
	r.begin(drainWrites)
	r.scale("web", 1)
	r.until("ordinal 0 is left", r.leaves("www-web-0", "web-0"))
	r.finish("DELETE pods/web-1", "PATCH persistentvolumeclaims/www-web-1", "POST pods", "DELETE persistentvolumeclaims/www-web-1")
	r.settled("web")
	r.inOrder(podsAndClaims, "gone web-1", "+web-1", "-www-web-1", "gone web-1")
	r.times("PersistentVolumeClaim", "-www-web-1", 1)
}
