package snapshot

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
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
	pod.Status = corev1.PodStatus{
		ObservedGeneration: 2,
		ContainerStatuses: []corev1.ContainerStatus{ // a kubelet sorts them by name
			{Name: "logs", Image: "logs:1", ImageID: "sha256:l", ContainerID: "c://l", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff"}}},
			{Name: "stranger", Image: "stranger:1"},
			{Name: "web", Image: "docker.io/web:2", ImageID: "sha256:w", ContainerID: "c://w", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: started}}},
		},
		InitContainerStatuses: []corev1.ContainerStatus{{Name: "first", Image: "first:1", ImageID: "sha256:f", ContainerID: "c://f",
			State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: started}}}},
	}
	return pod
}

// TestContainers: what runs in a pod is in its message if the pod has the annotation, whatever that says, and otherwise not.
func TestContainers(t *testing.T) {
	want := &setplanv1.PodContainers{Generation: 3, ObservedGeneration: 2,
		Containers: []*setplanv1.Container{
			{Name: "web", Image: "web:2", StatusImage: "docker.io/web:2", ImageId: "sha256:w", ContainerId: "c://w", StartedUnixMs: 1_700_000_000_000},
			{Name: "logs", Image: "logs:2", StatusImage: "logs:1", ImageId: "sha256:l", ContainerId: "c://l", WaitingReason: "ImagePullBackOff"},
			{Name: "new", Image: "new:1"},
		},
		InitContainers: []*setplanv1.Container{
			{Name: "first", Image: "first:1", StatusImage: "first:1", ImageId: "sha256:f", ContainerId: "c://f"},
			{Name: "proxy", Image: "proxy:2"},
		}}
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
