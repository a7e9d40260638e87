package kube

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters"
)

// terminationMessages is all that is kept of a pod's containers: what those that were given a token have left behind.
func terminationMessages(pod *corev1.Pod) []string {
	var messages []string
	for i := range pod.Spec.Containers {
		container := &pod.Spec.Containers[i]
		if !slices.ContainsFunc(container.Env, func(v corev1.EnvVar) bool { return v.Name == adapters.DrainTokenVariable }) {
			continue
		}
		message := ""
		for j := range pod.Status.ContainerStatuses {
			if status := &pod.Status.ContainerStatuses[j]; status.Name == container.Name && status.State.Terminated != nil {
				message = adapters.TerminationMessage(status.State.Terminated.Message)
			}
		}
		messages = append(messages, message)
	}
	return messages
}

func disrupted(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue
	})
}
