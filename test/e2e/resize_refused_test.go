//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

const (
	deferred   = "Deferred"
	infeasible = "Infeasible"
)

// TestResizeRefused: a node has no room for what a pod asks for, now or ever. The set says what becomes of the pod, and the block says it to people. What
// was refused is not counted as updated.
func TestResizeRefused(t *testing.T) {
	t.Parallel()
	begin := func(t *testing.T, reason string, annotations ...string) (*scene, *hosts, map[string]types.UID) {
		t.Parallel()
		s := newScene(t, shared.cluster)
		h := newHosts(s)
		set := webSet("web", 3, withoutClaims, memoryLimit("64Mi"))
		set.Annotations = map[string]string{}
		for i := 0; i < len(annotations); i += 2 {
			set.Annotations["setplan.io/"+annotations[i]] = annotations[i+1]
		}
		s.create(set)
		h.settled("web")
		pods := s.podUIDs()
		h.refuse("web-2", reason)
		s.limit("web", "128Mi")
		return s, h, pods
	}
	t.Run("Deferred-waits", func(t *testing.T) {
		s, h, pods := begin(t, deferred, "in-place", "InPlaceIfPossible")
		s.firstCause("web", "RESIZE_DEFERRED", "Pod/web-2", "Node didn't have enough resource: memory")
		s.stays(2*time.Second, "the set", func() error {
			if told := s.inPlace(); len(told) != 1 {
				return fmt.Errorf("in place: %v", told)
			}
			return s.counts("web", 0, 3)
		})
		h.refuse("web-2", "")
		s.settled("web")
		s.samePods(pods)
		s.unbroken()
	})
	t.Run("Deferred-is-recreated-after-a-time", func(t *testing.T) {
		s, _, pods := begin(t, deferred, "in-place", "InPlaceIfPossible", "resize-deferred", "5s")
		s.firstCause("web", "RESIZE_DEFERRED", "Pod/web-2", "recreated")
		s.settled("web")
		s.recreated(pods, "web-2")
		s.unbroken()
	})
	t.Run("Deferred-is-kept", func(t *testing.T) {
		s, h, pods := begin(t, deferred, "in-place", "InPlaceOnly", "resize-deferred", "Keep")
		eventually(s, 30*time.Second, "the others go on", func() error { return s.counts("web", 2, 3) })
		s.firstCause("web", "RESIZE_DEFERRED", "Pod/web-2", "go on without it")
		h.refuse("web-2", "")
		s.settled("web")
		s.samePods(pods)
		s.unbroken()
	})
	t.Run("Infeasible-is-recreated", func(t *testing.T) {
		s, _, pods := begin(t, infeasible, "in-place", "InPlaceIfPossible")
		s.settled("web")
		s.recreated(pods, "web-2")
		s.unbroken()
	})
	t.Run("Infeasible-waits", func(t *testing.T) {
		s, _, pods := begin(t, infeasible, "in-place", "InPlaceOnly", "resize-infeasible", "Recreate")
		s.firstCause("web", "RESIZE_INFEASIBLE", "Pod/web-2", "can never give it its resources", "annotate pod web-2")
		s.stays(2*time.Second, "the set", func() error { return s.counts("web", 0, 3) })
		s.samePods(pods)
		s.limit("web", "64Mi") // the way back is open
		s.settled("web")
		s.samePods(pods)
		s.unbroken()
	})
}

// recreated checks which of the pods are not those of before.
func (s *scene) recreated(before map[string]types.UID, want string) {
	s.Helper()
	now, got := s.podUIDs(), ""
	for _, name := range []string{"web-0", "web-1", "web-2"} {
		if now[name] != before[name] {
			got += name
		}
	}
	if got != want {
		s.Errorf("other pods are %q, want %q", got, want)
	}
}

// TestResizeQuota: a quota refuses a resize, as it would refuse a new pod. The pod stays as it is, is not counted as updated, and gets its resources when
// there is more.
func TestResizeQuota(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	h := newHosts(s)
	then := s.toldInPlace()
	quota := func(command, memory string) {
		s.do("kubectl -n " + s.namespace + " " + command)
		eventually(t, 30*time.Second, "the quota is in force", func() error {
			q, err := s.client.CoreV1().ResourceQuotas(s.namespace).Get(context.Background(), "memory", metav1.GetOptions{})
			if hard := q.Status.Hard[corev1.ResourceLimitsMemory]; err != nil || hard.String() != memory {
				return fmt.Errorf("%v, %v", q.Status, err)
			}
			return nil
		})
	}
	quota("create quota memory --hard=limits.memory=150Mi", "150Mi")
	s.create(webSet("web", 2, withoutClaims, memoryLimit("64Mi"), annotated("setplan.io/in-place", "InPlaceIfPossible")))
	h.settled("web")
	pods := s.podUIDs()
	s.limit("web", "128Mi")
	s.firstCause("web", "ACTION_REFUSED", "Pod/web-1", "The quota memory is used up")
	s.stays(2*time.Second, "the set", func() error { return s.counts("web", 0, 2) })
	quota(`patch quota memory -p '{"spec":{"hard":{"limits.memory":"1Gi"}}}'`, "1Gi")
	then("size web-1", "there web-1", "size web-0", "there web-0")
	s.settled("web")
	s.samePods(pods)
	s.unbroken()
}
