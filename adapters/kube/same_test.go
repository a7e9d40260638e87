package kube

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	apiresource "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestContainersAreNews: a plan waits for containers of pods whose images change in place, and of no other pods. There a container that starts
// anew must cause a pass, and here it must cause none: those of pods that crash do so for years.
func TestContainersAreNews(t *testing.T) {
	at := metav1.Unix(1_700_000_000, 0)
	pod := func(version string, inPlace bool, change func(*corev1.Pod, *corev1.ContainerStatus)) any {
		object := &corev1.Pod{ObjectMeta: metaOf("web-0", "set")}
		object.ResourceVersion = version
		if inPlace {
			object.Annotations = map[string]string{"setplan.io/in-place-update": "{}"}
		}
		object.Spec.Containers = []corev1.Container{{Name: "web", Image: "web:2"}}
		object.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "web", Image: "web:1", ImageID: "sha256:1", ContainerID: "c://1",
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at}}}}
		change(object, &object.Status.ContainerStatuses[0])
		return podInSets(object)
	}
	unchanged := func(*corev1.Pod, *corev1.ContainerStatus) {}
	for reason, change := range map[string]func(*corev1.Pod, *corev1.ContainerStatus){
		"another image": func(_ *corev1.Pod, c *corev1.ContainerStatus) { c.ImageID = "sha256:2" },
		"restarted":     func(_ *corev1.Pod, c *corev1.ContainerStatus) { c.ContainerID = "c://2" },
		"ended":         func(_ *corev1.Pod, c *corev1.ContainerStatus) { c.State = corev1.ContainerState{} },
		"no image": func(_ *corev1.Pod, c *corev1.ContainerStatus) {
			c.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff"}}
		},
		"more memory": func(_ *corev1.Pod, c *corev1.ContainerStatus) {
			c.Resources = &corev1.ResourceRequirements{Limits: corev1.ResourceList{corev1.ResourceMemory: apiresource.MustParse("1Gi")}}
		},
		"asks for more memory": func(p *corev1.Pod, _ *corev1.ContainerStatus) {
			p.Spec.Containers[0].Resources.Limits = corev1.ResourceList{corev1.ResourceMemory: apiresource.MustParse("1Gi")}
		},
		"no room for it": func(p *corev1.Pod, _ *corev1.ContainerStatus) {
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodResizePending, Status: corev1.ConditionTrue, Reason: corev1.PodReasonDeferred}}
		},
		"nothing": unchanged,
	} {
		for _, inPlace := range []bool{true, false} {
			passes := 0
			handler(kindPod, func(_ metav1.Object, by Change) {
				if by.ResourceVersion == "6" && !by.bound {
					passes++
				}
			}).OnUpdate(pod("5", inPlace, unchanged), pod("6", inPlace, change))
			if wanted := inPlace && reason != "nothing"; passes > 0 != wanted {
				t.Errorf("%s, with an update in place %t: it is told %d times", reason, inPlace, passes)
			}
		}
	}
	before, after := pod("5", false, unchanged), pod("6", true, unchanged)
	if same(before, after) {
		t.Error("an update that begins is no news")
	}
}
