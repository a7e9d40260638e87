//go:build e2e

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// How hosts give containers the resources that their pod's spec asks for, as kubelets with KEP-1287 do.

// refuse lets the hosts have no room for what a pod asks for, for a reason; for none they have.
func (h *hosts) refuse(pod, reason string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.full[pod] = reason
}

// looked waits until the hosts have said what all containers have: an API server refuses to resize a pod of which nobody has.
func (h *hosts) looked() {
	h.Helper()
	eventually(h, 30*time.Second, "the hosts have looked at the pods", func() error {
		for pod := range h.podUIDs() {
			for _, c := range containersOf(h.pod(pod)) {
				if c.lacks() {
					return fmt.Errorf("container %s of %s has %+v", c.spec.Name, pod, c.status.Resources)
				}
			}
		}
		return nil
	})
}

// settled waits until a set is settled and the hosts have looked.
func (h *hosts) settled(name string) *appsv1.StatefulSet {
	h.Helper()
	h.scene.settled(name)
	h.looked()
	return h.scene.settled(name)
}

// resizes says that there is no room, or that containers are about to get their resources, or gives them. It reports whether any of that is news.
func (h *hosts) resizes(pod *corev1.Pod, containers []container) bool {
	lacking := slices.DeleteFunc(slices.Clone(containers), func(c container) bool { return !c.lacks() })
	switch reason := h.full[pod.Name]; {
	case len(lacking) == 0:
		return drop(pod, corev1.PodResizePending) || drop(pod, corev1.PodResizeInProgress)
	case reason != "":
		return says(pod, corev1.PodResizePending, reason, "Node didn't have enough resource: memory, requested: 1, used: 2, capacity: 3")
	case says(pod, corev1.PodResizeInProgress, "", ""):
		drop(pod, corev1.PodResizePending)
		return true
	}
	for _, c := range lacking {
		if c.startsForResources() {
			h.start(c)
			setReadiness(pod, corev1.ConditionFalse)
		}
		c.status.Resources = c.spec.Resources.DeepCopy()
	}
	return drop(pod, corev1.PodResizeInProgress)
}

// lacks reports whether a container does not have what its spec asks for.
func (c container) lacks() bool {
	return c.status.Resources == nil || !equality.Semantic.DeepEqual(*c.status.Resources, c.spec.Resources)
}

// startsForResources reports whether a container is to start again to have other resources. Here it says the same of all.
func (c container) startsForResources() bool {
	return slices.ContainsFunc(c.spec.ResizePolicy, func(p corev1.ContainerResizePolicy) bool { return p.RestartPolicy == corev1.RestartContainer })
}

// says sets a condition of a pod to true, and reports whether that is news.
func says(pod *corev1.Pod, kind corev1.PodConditionType, reason, message string) bool {
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == kind {
			news := c.Reason != reason || c.ObservedGeneration != pod.Generation
			c.Reason, c.Message, c.ObservedGeneration = reason, message, pod.Generation
			return news
		}
	}
	pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: kind, Status: corev1.ConditionTrue, Reason: reason, Message: message,
		LastTransitionTime: metav1.Now(), ObservedGeneration: pod.Generation})
	return true
}

// drop removes a condition of a pod, and reports whether it was there.
func drop(pod *corev1.Pod, kind corev1.PodConditionType) bool {
	before := len(pod.Status.Conditions)
	pod.Status.Conditions = slices.DeleteFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == kind })
	return len(pod.Status.Conditions) < before
}

// sizesOf are the limits and requests of all containers of a pod's spec, in their order.
func sizesOf(pod *corev1.Pod) string {
	var all []string
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		all = append(all, c.Name+"="+sizeOf(c.Resources.Limits)+"/"+sizeOf(c.Resources.Requests))
	}
	return strings.Join(all, " ")
}

func sizeOf(list corev1.ResourceList) string {
	return fmt.Sprintf("%s,%s", list.Cpu(), list.Memory())
}
