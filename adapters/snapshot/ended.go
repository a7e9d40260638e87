package snapshot

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// tokenVariable is the environment variable with the token of a drain pod's container.
const tokenVariable = "SETPLAN_DRAIN_TOKEN"

// maxTerminationMessage is how much of a termination message a kubelet keeps.
const maxTerminationMessage = 4096

// terminationMessages returns all that a snapshot says of containers: the messages of those with a token.
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

// terminationMessage makes a message valid UTF-8 and no longer than a kubelet keeps it.
func terminationMessage(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), maxTerminationMessage)], "")
}

func disrupted(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue
	})
}
