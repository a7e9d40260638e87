package snapshot

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// resources are the cpu and the memory of a container. No others change while a pod stays.
func resources(of *corev1.ResourceRequirements) *setplanv1.ContainerResources {
	return &setplanv1.ContainerResources{Requests: amounts(of.Requests), Limits: amounts(of.Limits)}
}

func amounts(of corev1.ResourceList) map[string]string {
	var out map[string]string
	for _, name := range [...]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if quantity, has := of[name]; has {
			if out == nil {
				out = map[string]string{}
			}
			out[string(name)] = quantity.String()
		}
	}
	return out
}

// maxConditionMessage is what the contract allows.
const maxConditionMessage = 1024

// resize is a condition of a pod whose resources change, if it is there and true.
func resize(pod *corev1.Pod, kind corev1.PodConditionType) *setplanv1.PodResize {
	for i := range pod.Status.Conditions {
		c := &pod.Status.Conditions[i]
		if c.Type == kind && c.Status == corev1.ConditionTrue {
			message := validText(c.Message)
			return &setplanv1.PodResize{
				Reason:             validText(c.Reason),
				Message:            strings.ToValidUTF8(message[:min(len(message), maxConditionMessage)], ""),
				SinceUnixMs:        millis(&c.LastTransitionTime),
				ObservedGeneration: c.ObservedGeneration,
			}
		}
	}
	return nil
}
