//go:build e2e

package e2e

import (
	"fmt"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// memoryLimit gives the first container a limit, and something that stays.
func memoryLimit(limit string) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) {
		set.Spec.Template.Spec.Containers[0].Resources = corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("10m"), corev1.ResourceMemory: resource.MustParse("16Mi")},
			Limits:   corev1.ResourceList{corev1.ResourceMemory: resource.MustParse(limit)}}
	}
}

// startsAnew has the first container start again for other memory.
func startsAnew(set *appsv1.StatefulSet) {
	set.Spec.Template.Spec.Containers[0].ResizePolicy = []corev1.ContainerResizePolicy{{ResourceName: corev1.ResourceMemory, RestartPolicy: corev1.RestartContainer}}
}

func (s *scene) limit(name, memory string) {
	s.Helper()
	s.patch(name, fmt.Sprintf(`{"spec":{"template":{"spec":{"containers":[{"name":"nginx","resources":{"limits":{"memory":%q}}}]}}}}`, memory))
}

// counts returns nil once the status says how many pods are updated, and how many are available.
func (s *scene) counts(set string, updated, available int32) error {
	if status := s.get(set).Status; status.UpdatedReplicas != updated || status.AvailableReplicas != available {
		return fmt.Errorf("the status is %+v", status)
	}
	return nil
}

// TestResize: more memory reaches pods that run on, one after another from the highest ordinal down, so that a node without room shows at the first
// one. It costs no budget: no pod is ever unavailable. The label follows when the kubelet has said that the containers have it, and not before.
func TestResize(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	h := newHosts(s)
	then := s.toldInPlace()
	s.create(webSet("web", 3, helped, memoryLimit("64Mi"), annotated("setplan.io/in-place", "InPlaceOnly")))
	first := h.settled("web").Status.UpdateRevision
	pods, from := s.podUIDs(), s.all()

	h.ignore("web-2", true)
	s.limit("web", "128Mi")
	then("size web-2")
	s.stays(2*time.Second, "web-2, whose host has not looked,", func() error {
		if pod := s.pod("web-2"); revisionOf(pod) != first || len(s.inPlace()) != 1 {
			return fmt.Errorf("it is at %s, in place: %v", revisionOf(pod), s.inPlace())
		}
		return s.counts("web", 0, 3)
	})
	h.ignore("web-2", false)
	then("there web-2", "size web-1", "there web-1", "size web-0", "there web-0")
	s.settled("web")
	if most := s.mostUnavailable(from[len(from)-1].version, 3); most != 0 {
		t.Errorf("%d pods were unavailable at once", most)
	}
	if got, want := s.restartsOf("web-0"), "nginx 0, log 0, proxy 0, agent 0"; got != want {
		t.Errorf("containers of web-0 were restarted: %s", got)
	}

	// A label, an image, and resources of another container and of a sidecar, which had none.
	s.patch("web", `{"spec":{"template":{"metadata":{"labels":{"tier":"gold"}},"spec":{"initContainers":[{"name":"agent","resources":{"requests":{"cpu":"20m"}}}],
		"containers":[{"name":"nginx","image":"registry.example/nginx:2"},{"name":"log","resources":{"limits":{"memory":"32Mi"}}}]}}}}`)
	then("image web-2", "size web-2", "there web-2", "image web-1", "size web-1", "there web-1", "image web-0", "size web-0", "there web-0")
	last := s.settled("web").Status.UpdateRevision
	for name := range pods {
		pod := s.pod(name)
		if got, want := sizesOf(pod), "proxy=0,0/0,0 agent=0,0/20m,0 nginx=0,128Mi/10m,16Mi log=0,32Mi/0,32Mi"; got != want || pod.Labels["tier"] != "gold" || revisionOf(pod) != last {
			t.Errorf("%s has %s, tier %q, at %s", name, got, pod.Labels["tier"], revisionOf(pod))
		}
	}
	if got, want := s.restartsOf("web-0"), "nginx 1, log 0, proxy 0, agent 0"; got != want {
		t.Errorf("containers of web-0 were restarted: %s", got)
	}
	s.samePods(pods)
	s.unbroken()
	for _, lie := range h.untrue() {
		t.Error(lie)
	}
}
