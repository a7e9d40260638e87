package snapshot

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// tokenVariable is the environment variable by which a drain pod's container was given a token.
const tokenVariable = "SETPLAN_DRAIN_TOKEN"

// maxTerminationMessage is as much of a termination message as a kubelet keeps.
const maxTerminationMessage = 4096

// terminationMessages is all that is told of a pod's containers: what those that were given a token have left behind.
func terminationMessages(pod *corev1.Pod) []string {
	var messages []string
	for i := range pod.Spec.Containers {
		container := &pod.Spec.Containers[i]
		if !slices.ContainsFunc(container.Env, func(v corev1.EnvVar) bool { return v.Name == tokenVariable }) {
			continue
		}
		message := ""
		for j := range pod.Status.ContainerStatuses {
			if status := &pod.Status.ContainerStatuses[j]; status.Name == container.Name && status.State.Terminated != nil {
				message = terminationMessage(status.State.Terminated.Message)
			}
		}
		messages = append(messages, message)
	}
	return messages
}

// terminationMessage is valid UTF-8, and no longer than a kubelet keeps it.
func terminationMessage(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), maxTerminationMessage)], "")
}

func disrupted(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue
	})
}
