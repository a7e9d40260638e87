package snapshot

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"google.golang.org/protobuf/testing/protocmp"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// running is a pod with a container of each kind, as a kubelet shows it.
func running(annotations map[string]string) *corev1.Pod {
	started := metav1.NewTime(time.UnixMilli(1_700_000_000_000))
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-1", Generation: 3, Annotations: annotations}}
	pod.Spec.InitContainers = []corev1.Container{{Name: "first", Image: "first:1"}, {Name: "proxy", Image: "proxy:2", RestartPolicy: new(corev1.ContainerRestartPolicyAlways)}}
	pod.Spec.Containers = []corev1.Container{{Name: "web", Image: "web:2"}, {Name: "logs", Image: "logs:2"}, {Name: "new", Image: "new:1"}}
	amounts := func(cpu, memory string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory), corev1.ResourceEphemeralStorage: resource.MustParse("1Gi")}
	}
	pod.Spec.Containers[0].Resources = corev1.ResourceRequirements{Requests: amounts("0.5", "1024Mi"), Limits: amounts("1", "2Gi")}
	pod.Spec.Containers[1].Resources.Limits = corev1.ResourceList{corev1.ResourceEphemeralStorage: resource.MustParse("1Gi")}
	pod.Status = corev1.PodStatus{
		ObservedGeneration: 2,
		Conditions: []corev1.PodCondition{{Type: corev1.PodResizePending, Status: corev1.ConditionTrue, Reason: corev1.PodReasonDeferred,
			Message: strings.Repeat("x", 1023) + "é", LastTransitionTime: started, ObservedGeneration: 3}, {Type: corev1.PodResizeInProgress, Status: corev1.ConditionFalse}},
		ContainerStatuses: []corev1.ContainerStatus{ // a kubelet sorts them by name
			{Name: "logs", Image: "logs:1", ImageID: "sha256:l", ContainerID: "c://l", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff"}}},
			{Name: "stranger", Image: "stranger:1"},
			{Name: "web", Image: "docker.io/web:2", ImageID: "sha256:w", ContainerID: "c://w", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: started}},
				Resources: &corev1.ResourceRequirements{Requests: amounts("500m", "1Gi")}},
		},
		InitContainerStatuses: []corev1.ContainerStatus{{Name: "first", Image: "first:1", ImageID: "sha256:f", ContainerID: "c://f", Resources: &corev1.ResourceRequirements{},
			State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: started}}}},
	}
	return pod
}

// TestContainers: what runs in a pod is in its message if the pod has the annotation, whatever that says, and otherwise not.
func TestContainers(t *testing.T) {
	want := &setplanv1.PodContainers{Generation: 3, ObservedGeneration: 2,
		Containers: []*setplanv1.Container{
			{Name: "web", Image: "web:2", StatusImage: "docker.io/web:2", ImageId: "sha256:w", ContainerId: "c://w", StartedUnixMs: 1_700_000_000_000,
				Resources:       &setplanv1.ContainerResources{Requests: map[string]string{"cpu": "500m", "memory": "1Gi"}, Limits: map[string]string{"cpu": "1", "memory": "2Gi"}},
				StatusResources: &setplanv1.ContainerResources{Requests: map[string]string{"cpu": "500m", "memory": "1Gi"}}},
			{Name: "logs", Image: "logs:2", StatusImage: "logs:1", ImageId: "sha256:l", ContainerId: "c://l", WaitingReason: "ImagePullBackOff"},
			{Name: "new", Image: "new:1"},
		},
		InitContainers: []*setplanv1.Container{
			{Name: "first", Image: "first:1", StatusImage: "first:1", ImageId: "sha256:f", ContainerId: "c://f", StatusResources: &setplanv1.ContainerResources{}},
			{Name: "proxy", Image: "proxy:2"},
		},
		ResizePending: &setplanv1.PodResize{Reason: "Deferred", Message: strings.Repeat("x", 1023), SinceUnixMs: 1_700_000_000_000, ObservedGeneration: 3}}
	for reason, test := range map[string]struct {
		annotations map[string]string
		want        *setplanv1.PodContainers
	}{
		"no annotation at all":  {nil, nil},
		"another annotation":    {map[string]string{"setplan.io/in-place": "{}", "in-place-update": "{}"}, nil},
		"nothing is under way":  {map[string]string{"setplan.io/in-place-update": "{}"}, want},
		"an empty text":         {map[string]string{"setplan.io/in-place-update": ""}, want},
		"what nobody can parse": {map[string]string{"setplan.io/in-place-update": "{"}, want},
	} {
		message, _ := Pod(running(test.annotations))
		if diff := cmp.Diff(test.want, message.GetContainers(), protocmp.Transform()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", reason, diff)
		}
	}
}

// TestContainersOfNewPod: before a kubelet has seen a pod, its message has the spec alone. Texts that protobuf cannot carry are replaced.
func TestContainersOfNewPod(t *testing.T) {
	pod := running(map[string]string{"setplan.io/in-place-update": "{}"})
	pod.Status, pod.Spec.InitContainers, pod.Spec.Containers = corev1.PodStatus{}, nil, []corev1.Container{{Name: "web", Image: "web:\xff"}}
	message, _ := Pod(pod)
	want := &setplanv1.PodContainers{Generation: 3, Containers: []*setplanv1.Container{{Name: "web", Image: "web:\uFFFD"}}}
	if diff := cmp.Diff(want, message.GetContainers(), protocmp.Transform()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestResizeInProgress: of the conditions of a resize those count that are true.
func TestResizeInProgress(t *testing.T) {
	pod := running(map[string]string{"setplan.io/in-place-update": "{}"})
	pod.Status.Conditions[0].Status, pod.Status.Conditions[1].Status, pod.Status.Conditions[1].Reason = corev1.ConditionUnknown, corev1.ConditionTrue, corev1.PodReasonError
	message, _ := Pod(pod)
	if got := message.GetContainers(); got.GetResizePending() != nil || got.GetResizeInProgress().GetReason() != "Error" {
		t.Errorf("pending: %v, in progress: %v", got.GetResizePending(), got.GetResizeInProgress())
	}
}
