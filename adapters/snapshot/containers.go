package snapshot

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// annotationUpdate is on pods whose images the planner changes in place.
const annotationUpdate = annotationPrefix + "in-place-update"

// podContainers is what runs in a pod with that annotation. Others have none of it: a container that starts again is then no news of them.
func podContainers(pod *corev1.Pod) *setplanv1.PodContainers {
	if _, has := pod.Annotations[annotationUpdate]; !has {
		return nil
	}
	return &setplanv1.PodContainers{
		Generation:         pod.Generation,
		ObservedGeneration: pod.Status.ObservedGeneration,
		Containers:         containers(pod.Spec.Containers, pod.Status.ContainerStatuses),
		InitContainers:     containers(pod.Spec.InitContainers, pod.Status.InitContainerStatuses),
		ResizePending:      resize(pod, corev1.PodResizePending),
		ResizeInProgress:   resize(pod, corev1.PodResizeInProgress),
	}
}

// containers are those of a spec, in its order, each with the status of its name.
func containers(specs []corev1.Container, statuses []corev1.ContainerStatus) []*setplanv1.Container {
	status := make(map[string]*corev1.ContainerStatus, len(statuses))
	for i := range statuses {
		status[statuses[i].Name] = &statuses[i]
	}
	var out []*setplanv1.Container
	for i := range specs {
		c := &setplanv1.Container{Name: validText(specs[i].Name), Image: validText(specs[i].Image)}
		if wanted := resources(&specs[i].Resources); len(wanted.Requests)+len(wanted.Limits) > 0 {
			c.Resources = wanted
		}
		if of := status[specs[i].Name]; of != nil {
			c.StatusImage, c.ImageId, c.ContainerId = validText(of.Image), validText(of.ImageID), validText(of.ContainerID)
			if of.Resources != nil {
				c.StatusResources = resources(of.Resources)
			}
			if of.State.Running != nil {
				c.StartedUnixMs = millis(&of.State.Running.StartedAt)
			}
			if of.State.Waiting != nil {
				c.WaitingReason = validText(of.State.Waiting.Reason)
			}
		}
		out = append(out, c)
	}
	return out
}

// validText replaces invalid UTF-8, which protobuf cannot carry, by U+FFFD as in JSON.
func validText(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
