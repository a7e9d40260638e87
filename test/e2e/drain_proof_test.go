//go:build e2e

package e2e

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters"
)

// TestDrainProof: the container of a drain pod is stopped on its node, and the pod succeeds. Its claim stays until a drain pod
// has handed back its token. kwok runs no containers, so the test writes what a kubelet would.
func TestDrainProof(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, drained(idle, adapters.AnnotationDrainProof+"=Token")))
	s.settled("web")
	uid := s.claim("www-web-1").UID
	s.scale("web", 1)
	stopped := s.draining("web-1")
	if token(stopped) == "" {
		t.Fatalf("no token in %v", stopped.Spec.Containers[0].Env)
	}
	s.endsWith("web-1", "")
	s.blocked("web", "DRAIN_FAILED", "Pod/web-1", "0 of 1 containers")
	s.firstCause("web", "DRAIN_FAILED", "Pod/web-1", "nothing proves that it was done", "container drain ended with exit code 0")

	again := s.drainingAnew(stopped)
	if token(again) != token(stopped) {
		t.Errorf("token %q, want %q as before", token(again), token(stopped))
	}
	if s.claim("www-web-1").UID != uid {
		t.Error("the claim is another one")
	}
	s.endsWith("web-1", token(again)+"\n")
	s.claimsBecome("www-web-0")
	s.podsBecome("web-0")
	s.times("PersistentVolumeClaim", "-www-web-1", 1)
	s.backedOff("web-1", 10*time.Second)
	s.unbroken()
}

// TestDrainInterrupted: the success of a drain pod that its kubelet stopped proves nothing.
func TestDrainInterrupted(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, drained(idle)))
	s.settled("web")
	s.scale("web", 1)
	stopped := s.draining("web-1")
	s.podStatus("web-1", `{"status":{"phase":"Succeeded","conditions":[{"type":"DisruptionTarget","status":"True","reason":"TerminationByKubelet"}]}}`)
	s.blocked("web", "DRAIN_FAILED", "Pod/web-1", "DisruptionTarget")
	s.drainingAnew(stopped)
	s.succeed("web-1")
	s.claimsBecome("www-web-0")
	s.podsBecome("web-0")
	s.backedOff("web-1", 10*time.Second)
	s.unbroken()
}

// TestDrainTemplateThatStops: a template whose probe lets the kubelet stop the drain pod is refused before anything is deleted.
func TestDrainTemplateThatStops(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, drained(completes)))
	s.settled("web")
	s.annotateSet("web", adapters.AnnotationDrainTemplate, `
metadata: {labels: {app: drainer}}
spec:
  restartPolicy: Never
  containers:
  - name: drain
    image: registry.example/completes:1
    livenessProbe: {exec: {command: ["true"]}}
`)
	s.scale("web", 1)
	s.blocked("web", "INVALID_POLICY", "StatefulSet/web", "livenessProbe")
	s.stays(time.Second, "the replica", func() error { return s.isReplica("web-1") })
	s.annotateSet("web", adapters.AnnotationDrainTemplate, drainTemplate(completes))
	s.claimsBecome("www-web-0")
	s.podsBecome("web-0")
	s.unbroken()
}

// endsWith ends a drain pod with exit code 0 and a termination message.
func (s *scene) endsWith(name, message string) {
	s.Helper()
	s.podStatus(name, fmt.Sprintf(`{"status":{"phase":"Succeeded","containerStatuses":[{"name":"drain","image":"registry.example/drain:1","imageID":"",
		"ready":false,"restartCount":0,"state":{"terminated":{"exitCode":0,"message":%q}}}]}}`, message))
}

func token(pod *corev1.Pod) string {
	for _, v := range pod.Spec.Containers[0].Env {
		if v.Name == adapters.DrainTokenVariable {
			return v.Value
		}
	}
	return ""
}
