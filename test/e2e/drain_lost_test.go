//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
)

// TestDrainPodLost: a deleted drain pod is recreated after a while, and its claim stays.
func TestDrainPodLost(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]func(s *scene){"deleted": drainPodDeleted, "evicted": drainPodEvicted} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(newScene(t, shared.cluster))
		})
	}
}

func drainPodDeleted(s *scene) { s.drainedDespite(func() { s.deletePod("web-1") }) }

// drainPodEvicted evicts it by the API, as a drain of its node does.
func drainPodEvicted(s *scene) { s.drainedDespite(func() { s.evict("web-1") }) }

// drainedDespite drains an ordinal whose first drain pod is removed by others.
func (s *scene) drainedDespite(loss func()) {
	s.Helper()
	set := s.create(webSet("web", 2, drained(idle)))
	s.settled("web")
	s.allMarked(set)
	uid := s.claim("www-web-1").UID
	s.scale("web", 1)
	first := s.draining("web-1")
	eventually(s, 10*time.Second, "the claim records when the drain pod was created", func() error {
		if begun := s.claim("www-web-1").Annotations[adapters.AnnotationDrainBegun]; begun != first.CreationTimestamp.UTC().Format(time.RFC3339) {
			return fmt.Errorf("noted is %q, and it was made at %s", begun, first.CreationTimestamp)
		}
		return nil
	})
	loss()
	s.blocked("web", "DRAIN_FAILED", "Pod/web-1", "disappeared before it was done")
	second := s.drainingAnew(first)
	if waited := second.CreationTimestamp.Sub(first.CreationTimestamp.Time); waited < 10*time.Second {
		s.Errorf("the next drain pod came after %s", waited)
	}
	if s.claim("www-web-1").UID != uid {
		s.Error("the claim is another one")
	}
	s.succeed("web-1")
	s.claimsBecome("www-web-0")
	s.podsBecome("web-0")
	s.unbroken()
}

// TestDrainNodeLost: the drain pod is evicted from a node that no longer answers. It may still run there, so there is no other
// until a user who knows better removes it.
func TestDrainNodeLost(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	node := s.ownNode()
	s.create(webSet("web", 2, drained(idle), func(set *appsv1.StatefulSet) {
		set.Annotations[adapters.AnnotationDrainTemplate] = strings.Replace(drainTemplate(idle), `"spec":{`, `"spec":{"nodeName":"`+node+`",`, 1)
	}))
	s.settled("web")
	uid := s.claim("www-web-1").UID
	s.scale("web", 1)
	first := s.draining("web-1")
	if first.Spec.NodeName != node {
		t.Fatalf("the drain pod is on %s", first.Spec.NodeName)
	}
	s.annotateSet("web", adapters.AnnotationDrainTemplate, drainTemplate(idle))
	s.patchPod("web-1", `{"metadata":{"annotations":{"setplan.io/test-stop-delay":"1h"}}}`)
	s.taint(node, corev1.TaintEffectNoExecute)
	eventually(s, time.Minute, "web-1 is evicted", func() error { return s.terminating("web-1") })
	s.blocked("web", "DRAINING", "Pod/web-1", "is being deleted")
	s.stays(2*time.Second, "the drain pod", s.drains(first))
	s.mustKubectl("delete", "pod", "web-1", "--force", "--grace-period=0")
	s.drainingAnew(first)
	if s.claim("www-web-1").UID != uid {
		t.Error("the claim is another one")
	}
	s.succeed("web-1")
	s.claimsBecome("www-web-0")
	s.podsBecome("web-0")
	s.unbroken()
}

// ownNode makes a node that only takes pods that name it.
func (s *scene) ownNode() string {
	s.Helper()
	name := s.namespace
	if _, err := s.client.CoreV1().Nodes().Create(context.Background(), &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       corev1.NodeSpec{Taints: []corev1.Taint{{Key: "setplan.io/test", Effect: corev1.TaintEffectNoSchedule}}},
	}, metav1.CreateOptions{}); err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() {
		if err := s.client.CoreV1().Nodes().Delete(context.Background(), name, metav1.DeleteOptions{}); err != nil {
			s.Error(err)
		}
	})
	return name
}

// taint puts a taint on a node.
func (s *scene) taint(node string, effect corev1.TaintEffect) {
	s.Helper()
	patch := `{"spec":{"taints":[{"key":"setplan.io/test","effect":"` + string(effect) + `"}]}}`
	if _, err := s.client.CoreV1().Nodes().Patch(context.Background(), node, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
		s.Fatal(err)
	}
}
