package main

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// newPod is a pod that the set's controller made and that runs well. The index label is left out on purpose: sets that
// are taken over have pods from before 1.28, which lack it, and nothing may be done about that.
func newPod(set *appsv1.StatefulSet, ordinal int, revision string) *corev1.Pod {
	name := fmt.Sprintf("%s-%d", set.Name, ordinal)
	template := set.Spec.Template.DeepCopy()
	pod := &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: template.ObjectMeta,
		Spec:       template.Spec,
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning,
			Conditions: []corev1.PodCondition{
				{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: set.CreationTimestamp},
			},
		},
	}
	pod.Name, pod.Namespace, pod.ResourceVersion = name, set.Namespace, "1002"
	pod.UID = types.UID(fmt.Sprintf("b1f0c1de-0000-4000-8000-0000000001%02d", ordinal))
	pod.GenerateName = set.Name + "-"
	pod.CreationTimestamp = set.CreationTimestamp
	pod.OwnerReferences = owners(set)
	pod.Labels["statefulset.kubernetes.io/pod-name"] = name
	pod.Labels["controller-revision-hash"] = revision
	pod.Spec.Hostname, pod.Spec.Subdomain = name, set.Spec.ServiceName
	for i := range set.Spec.VolumeClaimTemplates {
		volume := set.Spec.VolumeClaimTemplates[i].Name
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: volume, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: volume + "-" + name},
		}})
	}
	return pod
}
