package invariants

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/test/sim"
)

// handedBack reports whether at least one container was given a token, and all of those have handed theirs back.
func handedBack(pod *corev1.Pod) bool {
	messages := sim.TerminationMessages(pod)
	for i, token := range tokens(pod) {
		if strings.TrimSpace(messages[i]) != token {
			return false
		}
	}
	return len(messages) > 0
}

func tokens(pod *corev1.Pod) []string {
	var tokens []string
	for i := range pod.Spec.Containers {
		if token := sim.TokenOf(&pod.Spec.Containers[i]); token != "" {
			tokens = append(tokens, token)
		}
	}
	return tokens
}
