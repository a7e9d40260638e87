//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
)

// newClaim creates a claim as a user would.
func (s *scene) newClaim(name string) {
	s.Helper()
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: webSet("x", 1).Spec.VolumeClaimTemplates[0].Spec}
	if _, err := s.client.CoreV1().PersistentVolumeClaims(s.namespace).Create(context.Background(), claim, metav1.CreateOptions{}); err != nil {
		s.Fatal(err)
	}
}

// loseClaim scales a set to one replica and deletes a claim of the other while it terminates.
func (s *scene) loseClaim(pod, claim string) {
	s.Helper()
	s.pin(pod)
	s.scale("web", 1)
	eventually(s, 30*time.Second, pod+" goes", func() error { return s.terminating(pod) })
	s.forceDeleteClaim(claim)
	eventually(s, 30*time.Second, claim+" is gone", func() error {
		if s.claimExists(claim) == nil {
			return fmt.Errorf("it is there")
		}
		return nil
	})
	s.unpin(pod)
}

// TestDrainLeftovers: a claim older than the annotation is drained only if the policy says so.
func TestDrainLeftovers(t *testing.T) {
	t.Parallel()
	leftoversStay(newScene(t, shared.cluster))
}

func leftoversStay(s *scene) {
	set := s.create(webSet("web", 2))
	s.settled("web")
	s.scale("web", 1)
	s.settled("web")
	s.podsBecome("web-0")
	s.annotateSet("web", adapters.AnnotationDrainTemplate, drainTemplate(completes))
	s.marked("www-web-0", set)
	s.blocked("web", "DRAIN_LEFTOVER", "PersistentVolumeClaim/www-web-1", "before the drain policy")
	s.claimsStay(time.Second, "www-web-0 www-web-1")
	s.annotateSet("web", adapters.AnnotationDrainLeftovers, "true")
	s.claimsBecome("www-web-0")
	s.podsBecome("web-0")
	s.unbroken()
}

// TestDrainMissingClaim: a drain pod without one of its claims could never start, so the drain waits and says for which claim.
func TestDrainMissingClaim(t *testing.T) {
	t.Parallel()
	missingClaim(newScene(t, shared.cluster))
}

func missingClaim(s *scene) {
	set := s.create(webSet("web", 2, drained(completes), twoClaims))
	s.settled("web")
	s.loseClaim("web-1", "logs-web-1")
	s.blocked("web", "DRAIN_CLAIM_MISSING", "PersistentVolumeClaim/logs-web-1", "Create the claim")
	s.warned(set.UID, "DrainClaimMissing", "does not exist")
	s.claimsStay(time.Second, "logs-web-0 www-web-0 www-web-1")
	s.newClaim("logs-web-1")
	s.claimsBecome("logs-web-0 www-web-0")
	s.podsBecome("web-0")
}

// TestDrainAmbiguousName: template www of set a-web and template www-a of set web give their claims the same names. While both
// sets exist no claim is deleted; once one is gone the other's drain goes on.
func TestDrainAmbiguousName(t *testing.T) {
	t.Parallel()
	ambiguousName(newScene(t, shared.cluster))
}

func ambiguousName(s *scene) {
	first := s.create(webSet("a-web", 2, drained(completes)))
	s.settled("a-web")
	s.marked("www-a-web-1", first)
	uid := s.claim("www-a-web-1").UID
	second := webSet("web", 1, drained(completes, adapters.AnnotationDrainLeftovers+"=true"))
	second.Spec.VolumeClaimTemplates[0].Name = "www-a"
	second.Spec.Template.Spec.Containers[0].VolumeMounts[0].Name = "www-a"
	s.create(second)
	s.podsBecome("a-web-0 a-web-1 web-0")
	s.blocked("web", "INVALID_POLICY", "StatefulSet/web", "Set a-web in this namespace")
	s.blocked("a-web", "INVALID_POLICY", "StatefulSet/a-web", "Set web in this namespace")
	s.scale("a-web", 1)
	s.claimsStay(2*time.Second, "www-a-web-0 www-a-web-1")
	if s.claim("www-a-web-1").UID != uid {
		s.Fatal("the claim is another one")
	}
	s.deleteSet("web", metav1.DeletePropagationBackground)
	s.claimsBecome("www-a-web-0")
	s.podsBecome("a-web-0")
}

// TestDrainPolicyRemoved: the policy is removed during a drain. The drain pod is deleted and the claim stays, also when there
// is a policy again.
func TestDrainPolicyRemoved(t *testing.T) {
	t.Parallel()
	policyRemoved(newScene(t, shared.cluster))
}

func policyRemoved(s *scene) {
	s.create(webSet("web", 2, drained(idle)))
	s.settled("web")
	s.scale("web", 1)
	s.draining("web-1")
	s.annotateSet("web", adapters.AnnotationDrainTemplate, "")
	s.podsBecome("web-0")
	s.unmarked("www-web-0", "www-web-1")
	s.annotateSet("web", adapters.AnnotationDrainTemplate, drainTemplate(completes))
	s.blocked("web", "DRAIN_LEFTOVER", "PersistentVolumeClaim/www-web-1")
	s.claimsStay(time.Second, "www-web-0 www-web-1")
	s.unbroken()
}

// TestDrainPolicyEdited: a running drain pod goes on; an invalid value holds everything that deletes.
func TestDrainPolicyEdited(t *testing.T) {
	t.Parallel()
	policyEdited(newScene(t, shared.cluster))
}

func policyEdited(s *scene) {
	set := s.create(webSet("web", 3, drained(idle)))
	s.settled("web")
	s.scale("web", 2)
	pod := s.draining("web-2")
	s.annotateSet("web", adapters.AnnotationDrainTemplate, drainTemplate(completes))
	s.stays(time.Second, "the drain pod of the earlier template", s.drains(pod))
	s.annotateSet("web", adapters.AnnotationDrainMaxParallel, "several")
	s.blocked("web", "INVALID_POLICY", "StatefulSet/web", `"several"`) // otherwise it may first see that the drain has succeeded
	s.succeed("web-2")
	s.scale("web", 1)
	s.blocked("web", "INVALID_POLICY", "StatefulSet/web", `"several"`)
	s.warned(set.UID, "InvalidPolicy", `"several"`)
	s.claimsStay(time.Second, "www-web-0 www-web-1 www-web-2")
	s.annotateSet("web", adapters.AnnotationDrainMaxParallel, "")
	s.claimsBecome("www-web-0")
	s.podsBecome("web-0")
	s.unbroken()
}

// TestDrainAsk: a replica is asked, and deleted once it has answered. A scale-up takes the question back.
func TestDrainAsk(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, func(set *appsv1.StatefulSet) {
		set.Annotations = map[string]string{adapters.AnnotationDrainAsk: "true"}
	}))
	s.settled("web")
	asked := func() (question string) {
		eventually(s, 30*time.Second, "web-1 is asked", func() error {
			if question = s.pod("web-1").Annotations[adapters.AnnotationDrainRequest]; question == "" {
				return context.DeadlineExceeded
			}
			return nil
		})
		return question
	}
	s.scale("web", 1)
	first := asked()
	s.blocked("web", "DRAIN_ASKED", "Pod/web-1", "setplan.io/drain-answer="+first)
	s.scale("web", 2)
	eventually(s, 30*time.Second, "the question is taken back", func() error {
		if s.pod("web-1").Annotations[adapters.AnnotationDrainRequest] != "" {
			return context.DeadlineExceeded
		}
		return nil
	})
	s.scale("web", 1)
	if again := asked(); again == first {
		t.Errorf("the second question is %s, as before", again)
	} else {
		s.patchPod("web-1", `{"metadata":{"annotations":{"`+adapters.AnnotationDrainAnswer+`":"`+again+`"}}}`)
	}
	s.podsBecome("web-0")
	s.wantPods(born("web-0"), born("web-1"), gone("web-1"))
	s.unbroken()
}
