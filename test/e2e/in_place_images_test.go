//go:build e2e

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// helped gives pods a second container and a sidecar. Their names are not in the order of the alphabet.
func helped(set *appsv1.StatefulSet) {
	always := corev1.ContainerRestartPolicyAlways
	pod := &set.Spec.Template.Spec
	pod.Containers = append(pod.Containers, corev1.Container{Name: "log", Image: "registry.example/log:1"})
	pod.InitContainers = []corev1.Container{{Name: "proxy", Image: "registry.example/proxy:1", RestartPolicy: &always},
		{Name: "agent", Image: "registry.example/agent:1", RestartPolicy: &always}}
}

func revisionOf(pod *corev1.Pod) string { return pod.Labels[appsv1.ControllerRevisionHashLabelKey] }

// note is what the planner has noted of what is under way in a pod.
func note(pod *corev1.Pod) string { return pod.Annotations["setplan.io/in-place-update"] }

// imagesOf are the images of all containers by name, in their order.
func imagesOf(pod *corev1.Pod) string {
	var all []string
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		all = append(all, c.Name+"="+strings.TrimPrefix(c.Image, "registry.example/"))
	}
	return strings.Join(all, " ")
}

// changesOfPods goes through the changes of pods that stay.
func (h *history) changesOfPods(see func(before, after *corev1.Pod)) {
	last := map[string]*corev1.Pod{}
	for _, c := range h.all() {
		if c.kind() != "Pod" || c.event == watch.Deleted {
			continue
		}
		pod := typedPod(c.object)
		if before := last[pod.Name]; before != nil && before.UID == pod.UID {
			see(before, pod)
		}
		last[pod.Name] = pod
	}
}

func typedPod(object *unstructured.Unstructured) *corev1.Pod {
	pod := &corev1.Pod{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, pod); err != nil {
		panic(err) // the API server has made it
	}
	return pod
}

// inPlace tells what became of pods in place: "image web-1" where images of it changed, "size web-1" where its spec got other resources, "there web-1"
// where nothing is under way any more.
func (h *history) inPlace() (told []string) {
	h.changesOfPods(func(before, after *corev1.Pod) {
		if imagesOf(before) != imagesOf(after) {
			told = append(told, "image "+after.Name)
		}
		if sizesOf(before) != sizesOf(after) {
			told = append(told, "size "+after.Name)
		}
		if strings.Contains(note(before), `"revision"`) && note(after) == "{}" {
			told = append(told, "there "+after.Name)
		}
	})
	return told
}

// toldInPlace returns a function that waits until what became of pods in place has gone on by exactly these words.
func (s *scene) toldInPlace() func(words ...string) {
	var want []string
	return func(words ...string) {
		s.Helper()
		want = append(want, words...)
		eventually(s, 90*time.Second, "in place: "+strings.Join(want, ", "), func() error {
			if got := s.inPlace(); !slices.Equal(got, want) {
				return fmt.Errorf("in place: %s", strings.Join(got, ", "))
			}
			return nil
		})
	}
}

// restartsOf are how often each container of a pod was restarted.
func (s *scene) restartsOf(pod string) string {
	var all []string
	for _, c := range containersOf(s.pod(pod)) {
		all = append(all, fmt.Sprintf("%s %d", c.spec.Name, c.status.RestartCount))
	}
	return strings.Join(all, ", ")
}
