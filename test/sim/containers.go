package sim

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// What runs in a pod. The kubelet says so within the writes that it makes anyway; only a pod whose images change in place has further ones.

// longRunning lists the containers that run for as long as their pod: all but plain init containers.
func longRunning(pod *corev1.Pod) (containers []*corev1.Container) {
	for i := range pod.Spec.InitContainers {
		if IsSidecar(&pod.Spec.InitContainers[i]) {
			containers = append(containers, &pod.Spec.InitContainers[i])
		}
	}
	for i := range pod.Spec.Containers {
		containers = append(containers, &pod.Spec.Containers[i])
	}
	return containers
}

// IsSidecar reports whether an init container runs beside the others.
func IsSidecar(c *corev1.Container) bool {
	return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

// StatusOf is what the kubelet says of a container; nil if it has said nothing.
func StatusOf(pod *corev1.Pod, container string) *corev1.ContainerStatus {
	for _, statuses := range [...][]corev1.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses} {
		for i := range statuses {
			if statuses[i].Name == container {
				return &statuses[i]
			}
		}
	}
	return nil
}

// StartedAt is when the last container of a pod started; when the kubelet took the pod, if none has.
func StartedAt(pod *corev1.Pod) (last time.Time) {
	if pod.Status.StartTime != nil {
		last = pod.Status.StartTime.Time
	}
	for _, c := range longRunning(pod) {
		if status := StatusOf(pod, c.Name); status != nil && status.State.Running != nil && status.State.Running.StartedAt.After(last) {
			last = status.State.Running.StartedAt.Time
		}
	}
	return last
}

// RunsOthers reports whether a container that the kubelet has taken does not run what the spec says.
func RunsOthers(pod *corev1.Pod) bool {
	return slices.ContainsFunc(longRunning(pod), func(c *corev1.Container) bool {
		status := StatusOf(pod, c.Name)
		return status != nil && (status.State.Running == nil || status.Image != c.Image)
	})
}

// observes is the generation that the kubelet says it has seen.
func (w *World) observes(pod *corev1.Pod) int64 {
	if w.oldKubelet {
		return 0
	}
	return pod.Generation
}

// unseen reports whether the spec of a pod that runs has changed since the kubelet has looked.
func (w *World) unseen(pod *corev1.Pod) bool {
	return len(pod.Status.ContainerStatuses) > 0 && pod.Status.ObservedGeneration != w.observes(pod)
}

// restart is what the kubelet does about images and resources that have changed. First it says that it has seen them, and the old containers still run; the next time
// it ends those, and starts them anew. One that is older than Kubernetes 1.34 says nothing.
func (w *World) restart(pod *corev1.Pod) {
	_, err := w.Update("kubelet", KindPod, pod.Name, Preconditions{}, func(o Object) {
		p := o.(*corev1.Pod)
		seen := w.oldKubelet || !w.unseen(p)
		p.Status.ObservedGeneration = w.observes(p)
		if !seen {
			return
		}
		if w.resizes(p) {
			w.resize(p)
		}
		if RunsOthers(p) {
			w.run(p)
			setReady(p, corev1.ConditionFalse, w.stamp())
		}
	})
	mustSucceed(err)
}

// run starts the containers that do not run what the spec says. Plain init containers run once.
func (w *World) run(pod *corev1.Pod) {
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		status := said(pod, &pod.Status.InitContainerStatuses, c)
		if IsSidecar(c) {
			w.runContainer(pod, c, status)
		} else if status.State.Terminated == nil {
			w.startContainer(pod, c, status)
			status.State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{}}
		}
	}
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		w.runContainer(pod, c, said(pod, &pod.Status.ContainerStatuses, c))
	}
}

// said finds the status of a container in a list, or adds one.
func said(pod *corev1.Pod, statuses *[]corev1.ContainerStatus, c *corev1.Container) *corev1.ContainerStatus {
	if status := StatusOf(pod, c.Name); status != nil {
		return status
	}
	*statuses = append(*statuses, corev1.ContainerStatus{Name: c.Name, Image: c.Image, Resources: given(c)})
	return &(*statuses)[len(*statuses)-1]
}

// runContainer starts a container unless it runs. Where its image cannot be pulled, the status goes on to name the container that ran before, as a real
// one does.
func (w *World) runContainer(pod *corev1.Pod, c *corev1.Container, status *corev1.ContainerStatus) {
	switch {
	case status.State.Running != nil && status.Image == c.Image:
	case hasTag(c, "bad"):
		status.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff"}}
	default:
		status.Image, status.ImageID = c.Image, imageID(c.Image)
		w.startContainer(pod, c, status)
	}
}

// startContainer gives a container another id.
func (w *World) startContainer(pod *corev1.Pod, c *corev1.Container, status *corev1.ContainerStatus) {
	if status.ContainerID != "" {
		status.RestartCount++
	}
	status.ContainerID = fmt.Sprintf("sim://%s/%s/%d", pod.UID, c.Name, status.RestartCount)
	status.State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: w.stamp()}}
}

// imageID is what an image is once it is pulled. All tags that begin with "same" are one image.
func imageID(image string) string {
	if _, digest, named := strings.Cut(image, "@"); named {
		return "sim://" + digest
	}
	if name, tag, _ := strings.Cut(image, ":"); strings.HasPrefix(tag, "same") {
		image = name + ":same"
	}
	return fmt.Sprintf("sim://sha256:%x", sha256.Sum256([]byte(image)))[:len("sim://sha256:")+12]
}

// Restart is a container that crashes; "" is the first one of the pod. A kubelet that has not looked at the spec since starts it again with the
// image that it had.
func (w *World) Restart(name, container string) error {
	_, err := w.Update("kubelet", KindPod, name, Preconditions{}, func(o Object) {
		pod := o.(*corev1.Pod)
		for _, c := range longRunning(pod) {
			status := StatusOf(pod, c.Name)
			if c.Name != container && (container != "" || c != &pod.Spec.Containers[0]) || status == nil || status.State.Running == nil {
				continue
			}
			w.startContainer(pod, c, status)
			if ReadyCondition(pod) != nil {
				setReady(pod, corev1.ConditionFalse, w.stamp())
			}
		}
	})
	return err
}

// OldKubelet makes the kubelet one that does not say which generation of a pod it has seen, as those before Kubernetes 1.34.
func (w *World) OldKubelet(old bool) { w.oldKubelet = old }

// hasTag reports whether the image of a container has a tag.
func hasTag(c *corev1.Container, tag string) bool { return strings.HasSuffix(c.Image, ":"+tag) }

// sameContainers reports whether neither an image nor the resources of a pod have changed.
func sameContainers(before, after *corev1.Pod) bool {
	same := func(a, b corev1.Container) bool {
		return a.Image == b.Image && equality.Semantic.DeepEqual(a.Resources, b.Resources)
	}
	return slices.EqualFunc(before.Spec.Containers, after.Spec.Containers, same) &&
		slices.EqualFunc(before.Spec.InitContainers, after.Spec.InitContainers, same)
}
