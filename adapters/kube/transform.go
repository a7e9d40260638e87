package kube

import (
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The transforms keep what a snapshot needs and drop the rest before it is cached. A pod of 10 kB becomes one of 1 kB, and
// a field that somebody wants later is missed at once, not only under load.

// lightPod is the transform of the pod informer.
func lightPod(object any) (any, error) {
	pod, ok := object.(*corev1.Pod)
	if !ok {
		return object, nil // a tombstone
	}
	light := &corev1.Pod{ObjectMeta: lightMeta(&pod.ObjectMeta)}
	light.Labels = pod.Labels
	if manager := creator(pod.ManagedFields); manager != "" {
		light.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: manager}}
	}
	for i := range pod.Spec.Volumes {
		if claim := pod.Spec.Volumes[i].PersistentVolumeClaim; claim != nil {
			light.Spec.Volumes = append(light.Spec.Volumes, corev1.Volume{
				Name: pod.Spec.Volumes[i].Name,
				VolumeSource: corev1.VolumeSource{
					PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim.ClaimName},
				},
			})
		}
	}
	light.Status.Phase = pod.Status.Phase
	for i := range pod.Status.Conditions {
		if condition := pod.Status.Conditions[i]; condition.Type == corev1.PodReady {
			light.Status.Conditions = []corev1.PodCondition{{
				Type:               condition.Type,
				Status:             condition.Status,
				LastTransitionTime: condition.LastTransitionTime,
			}}
		}
	}
	return light, nil
}

// lightClaim is the transform of the claim informer.
func lightClaim(object any) (any, error) {
	claim, ok := object.(*corev1.PersistentVolumeClaim)
	if !ok {
		return object, nil
	}
	light := &corev1.PersistentVolumeClaim{ObjectMeta: lightMeta(&claim.ObjectMeta)}
	light.Status.Phase = claim.Status.Phase
	return light, nil
}

// lightRevision is the transform of the revision informer. The data stays as it is.
func lightRevision(object any) (any, error) {
	revision, ok := object.(*appsv1.ControllerRevision)
	if !ok {
		return object, nil
	}
	light := &appsv1.ControllerRevision{ObjectMeta: lightMeta(&revision.ObjectMeta), Revision: revision.Revision}
	light.Labels = revision.Labels
	light.Data.Raw = revision.Data.Raw
	return light, nil
}

func lightMeta(meta *metav1.ObjectMeta) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name:              meta.Name,
		Namespace:         meta.Namespace,
		UID:               meta.UID,
		ResourceVersion:   meta.ResourceVersion,
		CreationTimestamp: meta.CreationTimestamp,
		DeletionTimestamp: meta.DeletionTimestamp,
		OwnerReferences:   meta.OwnerReferences,
		Annotations:       lightAnnotations(meta.Annotations),
	}
}

// creator names the field manager that created an object: the oldest one that set its spec. On an object that was
// transformed before, it is the one entry left.
func creator(entries []metav1.ManagedFieldsEntry) string {
	if len(entries) == 1 && entries[0].FieldsV1 == nil {
		return entries[0].Manager
	}
	var oldest *metav1.ManagedFieldsEntry
	for i := range entries {
		entry := &entries[i]
		if entry.Subresource != "" || entry.FieldsV1 == nil || !strings.Contains(entry.FieldsV1.GetRawString(), `"f:spec":`) {
			continue
		}
		if oldest == nil || entry.Time.Before(oldest.Time) {
			oldest = entry
		}
	}
	if oldest == nil {
		return ""
	}
	return oldest.Manager
}
