package kube

import (
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func encodePodDrain(pod *corev1.Pod, out *setplanv1.Pod) {
	if len(pod.Annotations) == 0 {
		return
	}
	out.DrainSet = pod.Annotations[adapters.AnnotationDrainSet]
	out.DrainRequest = pod.Annotations[adapters.AnnotationDrainRequest]
	out.DrainAnswer = pod.Annotations[adapters.AnnotationDrainAnswer]
	if claims := pod.Annotations[adapters.AnnotationDrainClaims]; claims != "" {
		out.DrainClaims = strings.Split(claims, ",")
	}
	if out.DrainSet != "" {
		out.DrainMessages = drainMessages(pod)
		out.Disrupted = disrupted(pod)
	}
}

// drainMessages is all that is kept of a drain pod's containers: what those that were given a token have left behind.
func drainMessages(pod *corev1.Pod) []string {
	var messages []string
	for i := range pod.Spec.Containers {
		container := &pod.Spec.Containers[i]
		if !slices.ContainsFunc(container.Env, func(v corev1.EnvVar) bool { return v.Name == adapters.DrainTokenVariable }) {
			continue
		}
		message := ""
		for j := range pod.Status.ContainerStatuses {
			if status := &pod.Status.ContainerStatuses[j]; status.Name == container.Name && status.State.Terminated != nil {
				message = adapters.DrainMessage(status.State.Terminated.Message)
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

// encodeClaimDrain takes a number of attempts that is none for one: then a drain was begun, by whatever count.
func encodeClaimDrain(claim *corev1.PersistentVolumeClaim, out *setplanv1.Claim) {
	if len(claim.Annotations) == 0 {
		return
	}
	out.DrainSet = claim.Annotations[adapters.AnnotationDrainSet]
	if attempts, ok := claim.Annotations[adapters.AnnotationDrainAttempts]; ok {
		n, err := strconv.ParseInt(attempts, 10, 32)
		if err != nil || n < 1 {
			n = 1
		}
		out.DrainAttempts = int32(n)
	}
	if begun, err := time.Parse(time.RFC3339, claim.Annotations[adapters.AnnotationDrainBegun]); err == nil {
		out.DrainBegunUnixMs = begun.UnixMilli()
	}
}
