//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"net/http"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
)

// drainPodFails: a new adapter keeps the wait after a failed drain pod.
func drainPodFails(r *relay) {
	set := r.create(webSet("web", 2, drained(fails)))
	r.settled("web")
	r.allMarked(set)
	uid := r.claim("www-web-1").UID
	r.scale("web", 1)
	r.blocked("web", "DRAIN_FAILED", "Pod/web-1", "The data is kept")
	r.annotateSet("web", adapters.AnnotationDrainTemplate, drainTemplate(completes))
	// Not after the patch that records the attempt: each record makes the wait longer.
	r.begin(atPath(http.MethodDelete, "pods"))
	r.kill()
	if r.claim("www-web-1").UID != uid {
		r.Error("the claim is another one")
	}
	r.until("ordinal 0 is left", r.leaves("www-web-0", "web-0"))
	r.finish("DELETE pods/web-1")
	r.settled("web")
	r.backedOff("web-1", 10*time.Second)
	r.times("PersistentVolumeClaim", "-www-web-1", 1)
}

// missingClaimComes: a drain that waits for a claim begins when the claim exists.
func missingClaimComes(r *relay) {
	set := r.create(webSet("web", 2, drained(completes), twoClaims))
	r.settled("web")
	r.allMarked(set)
	r.loseClaim("web-1", "logs-web-1")
	r.blocked("web", "DRAIN_CLAIM_MISSING", "PersistentVolumeClaim/logs-web-1", "Create the claim")
	r.begin(drainWrites)
	r.newClaim("logs-web-1")
	r.until("ordinal 0 is left", r.leaves("logs-web-0 www-web-0", "web-0"))
	r.finish("PATCH persistentvolumeclaims/logs-web-1", "POST pods", "DELETE persistentvolumeclaims/logs-web-1", "DELETE pods/web-1")
	r.settled("web")
	r.times("Pod", "+web-1", 2)
}

// leftoversDrained: claims left before the policy are drained when it says so.
func leftoversDrained(r *relay) {
	r.create(webSet("web", 2))
	r.settled("web")
	r.scale("web", 1)
	r.settled("web")
	r.podsBecome("web-0")
	r.begin(drainWrites)
	r.annotateSet("web", adapters.AnnotationDrainLeftovers, "true")
	r.annotateSet("web", adapters.AnnotationDrainTemplate, drainTemplate(completes))
	r.until("ordinal 0 is left", r.leaves("www-web-0", "web-0"))
	r.finish("PATCH persistentvolumeclaims/www-web-1", "POST pods", "DELETE persistentvolumeclaims/www-web-1", "DELETE pods/web-1")
	r.settled("web")
	r.times("Pod", "+web-1", 2)
	r.times("PersistentVolumeClaim", "-www-web-1", 1)
}

// policyTakenAway: the drain pod is deleted, the marks are removed, the claims stay, and for a later policy they are leftovers.
func policyTakenAway(r *relay) {
	set := r.create(webSet("web", 2, drained(idle)))
	r.settled("web")
	r.allMarked(set)
	r.scale("web", 1)
	r.draining("web-1")
	r.begin(drainWrites)
	r.annotateSet("web", adapters.AnnotationDrainTemplate, "")
	r.until("nothing is left of the drain", func() error {
		for _, claim := range []string{"www-web-0", "www-web-1"} {
			if mark := r.claim(claim).Annotations[adapters.AnnotationDrainSet]; mark != "" {
				return fmt.Errorf("%s is marked %s", claim, mark)
			}
		}
		return r.leaves("www-web-0 www-web-1", "web-0")()
	})
	r.finish("DELETE pods/web-1", "PATCH persistentvolumeclaims/www-web-0", "PATCH persistentvolumeclaims/www-web-1")
	r.annotateSet("web", adapters.AnnotationDrainTemplate, drainTemplate(completes))
	r.blocked("web", "DRAIN_LEFTOVER", "PersistentVolumeClaim/www-web-1")
	r.claimsStay(time.Second, "www-web-0 www-web-1")
}

// askedAndDrained: the question, its withdrawal, the next question, and the drain after the answer.
func askedAndDrained(r *relay) {
	set := r.create(webSet("web", 2, drained(completes, adapters.AnnotationDrainAsk+"=true")))
	r.settled("web")
	r.allMarked(set)
	r.begin(drainWrites)
	question := func(want func(string) bool) (got string) {
		r.until("the question", func() error {
			pod, err := r.client.CoreV1().Pods(r.namespace).Get(context.Background(), "web-1", metav1.GetOptions{})
			if err != nil {
				return err
			}
			if got = pod.Annotations[adapters.AnnotationDrainRequest]; !want(got) {
				return fmt.Errorf("it is %q", got)
			}
			return nil
		})
		return got
	}
	r.scale("web", 1)
	first := question(func(q string) bool { return q != "" })
	r.scale("web", 2)
	question(func(q string) bool { return q == "" })
	r.scale("web", 1)
	second := question(func(q string) bool { return q != "" && q != first })
	r.kill()
	r.patchPod("web-1", `{"metadata":{"annotations":{"`+adapters.AnnotationDrainAnswer+`":"`+second+`"}}}`)
	r.until("ordinal 0 is left", r.leaves("www-web-0", "web-0"))
	r.finish("PATCH pods/web-1", "DELETE pods/web-1", "POST pods", "DELETE persistentvolumeclaims/www-web-1")
	r.settled("web")
	r.times("Pod", "+web-1", 2)
}
