//go:build e2e

package e2e

import (
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/setplan/setplan/adapters"
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

// TestDrainPod checks the drain pod of an ordinal.
func TestDrainPod(t *testing.T) {
	t.Parallel()
	drainPod(newScene(t, shared.cluster))
}

func drainPod(s *scene) {
	set := s.create(webSet("web", 2, drained(idle), twoClaims))
	s.settled("web")
	s.scale("web", 1)
	pod := s.draining("web-1")
	if pod.Spec.Hostname != "web-1" || pod.Spec.Subdomain != "nginx" || pod.Spec.RestartPolicy != "OnFailure" {
		s.Errorf("host name %q, subdomain %q, restart policy %q", pod.Spec.Hostname, pod.Spec.Subdomain, pod.Spec.RestartPolicy)
	}
	claims := map[string]string{}
	for _, v := range pod.Spec.Volumes {
		if v.PersistentVolumeClaim != nil {
			claims[v.Name] = v.PersistentVolumeClaim.ClaimName
		}
	}
	if claims["www"] != "www-web-1" || claims["logs"] != "logs-web-1" {
		s.Errorf("claims %v", claims)
	}
	if got := owners(pod); got != "StatefulSet/web" {
		s.Errorf("it is owned by %q, want an owner that is no controller: nobody must take it for a replica", got)
	}
	wanted := []string{string(s.claim("www-web-1").UID), string(s.claim("logs-web-1").UID)}
	if got := pod.Annotations[adapters.AnnotationDrainClaims]; got != strings.Join(wanted, ",") {
		s.Errorf("it drains %s, want %s", got, wanted)
	}
	if pod.Labels["app"] != "drainer" || pod.Labels["statefulset.kubernetes.io/pod-name"] != "web-1" {
		s.Errorf("labels %v", pod.Labels)
	}
	s.blocked("web", "DRAINING", "Pod/web-1", "running")
	s.hasReplicasSoon("web", 1)
	s.succeed("web-1")
	s.claimsBecome("logs-web-0 www-web-0")
	s.podsBecome("web-0")
	if got := s.get("web"); got.UID != set.UID || got.Status.Replicas != 1 {
		s.Errorf("status %+v", got.Status)
	}
	s.unbroken()
}

// TestDrainYAML: the template may be YAML, and may be in the original controller's annotation.
func TestDrainYAML(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, func(set *appsv1.StatefulSet) {
		set.Annotations = map[string]string{"statefulsets.kubernetes.io/drainer-pod-template": `
metadata:
  labels: {app: drainer}
spec:
  containers:
  - name: drain
    image: registry.example/completes:1
`}
	}))
	s.settled("web")
	s.scale("web", 1)
	s.claimsBecome("www-web-0")
	s.podsBecome("web-0")
	s.unbroken()
}

// TestDrainFails: the claim stays until a drain pod has succeeded. The next drain pod uses the corrected template.
func TestDrainFails(t *testing.T) {
	t.Parallel()
	drainFails(newScene(t, shared.cluster))
}

func drainFails(s *scene) {
	set := s.create(webSet("web", 2, drained(fails)))
	s.settled("web")
	uid := s.claim("www-web-1").UID
	s.scale("web", 1)
	s.blocked("web", "DRAIN_FAILED", "Pod/web-1", "The data is kept")
	s.warned(set.UID, "DrainFailed", "has failed")
	s.annotateSet("web", adapters.AnnotationDrainTemplate, drainTemplate(idle))
	if pod := s.draining("web-1"); imageOf(pod) != idle {
		s.Errorf("the second drain pod has image %s", imageOf(pod))
	}
	if s.claim("www-web-1").UID != uid {
		s.Error("the claim is another one")
	}
	s.podStatus("web-1", `{"status":{"phase":"Failed","reason":"Evicted"}}`)
	s.blocked("web", "DRAIN_FAILED", "Pod/web-1", "Drain pod 2")
	s.stays(time.Second, "the failed pod, before its time", func() error { s.pod("web-1"); return nil })
	s.annotateSet("web", adapters.AnnotationDrainTemplate, drainTemplate(completes))
	s.claimsBecome("www-web-0")
	s.podsBecome("web-0")
	s.backedOff("web-1", 10*time.Second, 20*time.Second)
	s.tells("web", "2 DrainRetried Delete drain Pod web-1 in StatefulSet web successful. The drain pod has failed")
	s.unbroken()
}

// TestDrainScaleUp: an ordinal is wanted again while it is drained.
func TestDrainScaleUp(t *testing.T) {
	t.Parallel()
	for _, scaleUp := range []string{"Finish", "Cancel"} {
		t.Run(scaleUp, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, shared.cluster)
			s.create(webSet("web", 2, drained(idle, adapters.AnnotationDrainScaleUp+"="+scaleUp)))
			s.settled("web")
			uid := s.claim("www-web-1").UID
			s.scale("web", 1)
			pod := s.draining("web-1")
			s.scale("web", 2)
			if scaleUp == "Finish" {
				s.blocked("web", "DRAINING", "Pod/web-1", "comes back empty", "Cancel")
				s.stays(time.Second, "the drain pod", s.drains(pod))
				s.succeed("web-1")
			}
			s.replicaOf("web-1")
			s.settled("web")
			if same := s.claim("www-web-1").UID == uid; same != (scaleUp == "Cancel") {
				t.Errorf("it has its earlier claim: %t", same)
			}
			s.unbroken()
		})
	}
}

// TestDrainWhenScaledDelete: the garbage collector must not delete the claim under the drain.
func TestDrainWhenScaledDelete(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, drained(idle), retention(retain, remove)))
	s.settled("web")
	uid := s.claim("www-web-1").UID
	s.scale("web", 1)
	s.draining("web-1")
	s.stays(2*time.Second, "the claim", func() error {
		if c := s.claim("www-web-1"); c.UID != uid || c.DeletionTimestamp != nil || len(c.OwnerReferences) > 0 {
			t.Fatalf("the claim is %+v", c.ObjectMeta)
		}
		return nil
	})
	s.succeed("web-1")
	s.claimsBecome("www-web-0")
	s.unbroken()
}
