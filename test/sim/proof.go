package sim

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters"
)

// What a drain pod that has succeeded tells of how it ended. End says nothing of it: a container that somebody stopped on
// its node ends with 0 as well, where its program does so on SIGTERM.

// Complete lets the program of a pod get to its end: it has succeeded, and every container that was given a token has
// handed it back.
func (w *World) Complete(name string) error {
	_, err := w.Update("kubelet", KindPod, name, Preconditions{}, func(o Object) {
		pod := o.(*corev1.Pod)
		pod.Status.ContainerStatuses = nil
		for _, c := range pod.Spec.Containers {
			ended := &corev1.ContainerStateTerminated{Message: TokenOf(&c)}
			pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses,
				corev1.ContainerStatus{Name: c.Name, State: corev1.ContainerState{Terminated: ended}})
		}
		w.end(pod, corev1.PodSucceeded, "")
	})
	return err
}

// Interrupt is a node that shuts down, or runs out of something, under a program that ends with 0 on SIGTERM.
func (w *World) Interrupt(name string) error {
	_, err := w.Update("kubelet", KindPod, name, Preconditions{}, func(o Object) {
		pod := o.(*corev1.Pod)
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: corev1.DisruptionTarget,
			Status: corev1.ConditionTrue, Reason: corev1.PodReasonTerminationByKubelet, LastTransitionTime: w.stamp()})
		w.end(pod, corev1.PodSucceeded, "")
	})
	return err
}

// TokenOf is the token that a container was given; empty where it got none.
func TokenOf(c *corev1.Container) string {
	for _, v := range c.Env {
		if v.Name == adapters.DrainTokenVariable {
			return v.Value
		}
	}
	return ""
}

// TerminationMessages lists what containers with a token have left behind.
func TerminationMessages(pod *corev1.Pod) []string {
	var messages []string
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		if TokenOf(c) == "" {
			continue
		}
		message := ""
		for _, status := range pod.Status.ContainerStatuses {
			if status.Name == c.Name && status.State.Terminated != nil {
				message = status.State.Terminated.Message
			}
		}
		messages = append(messages, message)
	}
	return messages
}

// Disrupted reports whether the cluster ended a pod, and not its program.
func Disrupted(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue
	})
}
