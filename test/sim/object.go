package sim

import (
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters/snapshot"
)

// The kinds that the world stores.
const (
	KindSet      = "StatefulSet"
	KindPod      = "Pod"
	KindClaim    = "PersistentVolumeClaim"
	KindRevision = "ControllerRevision"
	KindBudget   = "PodDisruptionBudget"
)

// The finalizers that the cluster itself works with.
const (
	finalizerForeground = metav1.FinalizerDeleteDependents
	finalizerOrphan     = metav1.FinalizerOrphanDependents
	FinalizerProtection = "kubernetes.io/pvc-protection"
)

// Set is a stateful set as the API stores it.
type Set = snapshot.Set

// Object is what the world stores. Stored objects are never changed; a write replaces them.
type Object = metav1.Object

// kindOf names the kind of a stored object.
func kindOf(object Object) string {
	switch object.(type) {
	case *Set:
		return KindSet
	case *corev1.Pod:
		return KindPod
	case *corev1.PersistentVolumeClaim:
		return KindClaim
	case *appsv1.ControllerRevision:
		return KindRevision
	case *policyv1.PodDisruptionBudget:
		return KindBudget
	}
	panic(fmt.Sprintf("sim: no kind for %T", object))
}

// clone copies an object so that a write can change the copy.
func clone(object Object) Object {
	switch o := object.(type) {
	case *Set:
		copied := *o
		o.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
		o.Status.DeepCopyInto(&copied.Status)
		copied.Spec = append(json.RawMessage(nil), o.Spec...)
		return &copied
	case *corev1.Pod:
		return o.DeepCopy()
	case *corev1.PersistentVolumeClaim:
		return o.DeepCopy()
	case *appsv1.ControllerRevision:
		return o.DeepCopy()
	case *policyv1.PodDisruptionBudget:
		return o.DeepCopy()
	}
	panic(fmt.Sprintf("sim: cannot copy %T", object))
}

// ParseObject reads an object from JSON; the kind comes from the JSON itself.
func ParseObject(data []byte) (Object, error) {
	var meta metav1.TypeMeta
	if err := json.Unmarshal(data, &meta); err != nil {
		return nil, err
	}
	var object Object
	switch meta.Kind {
	case KindSet:
		object = &Set{}
	case KindPod:
		object = &corev1.Pod{}
	case KindClaim:
		object = &corev1.PersistentVolumeClaim{}
	case KindRevision:
		object = &appsv1.ControllerRevision{}
	case KindBudget:
		object = &policyv1.PodDisruptionBudget{}
	default:
		return nil, fmt.Errorf("the world stores no %q", meta.Kind)
	}
	return object, json.Unmarshal(data, object)
}

// ReadyCondition is the condition Ready of a pod, or nil.
func ReadyCondition(pod *corev1.Pod) *corev1.PodCondition {
	for i := range pod.Status.Conditions {
		if pod.Status.Conditions[i].Type == corev1.PodReady {
			return &pod.Status.Conditions[i]
		}
	}
	return nil
}

// IsReady reports whether a pod runs and is ready.
func IsReady(pod *corev1.Pod) bool {
	condition := ReadyCondition(pod)
	return pod.Status.Phase == corev1.PodRunning && condition != nil && condition.Status == corev1.ConditionTrue
}

// HasEnded reports whether a pod will not run again.
func HasEnded(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded
}

// ClaimsOf lists the claims that a pod mounts.
func ClaimsOf(pod *corev1.Pod) []string {
	var names []string
	for _, volume := range pod.Spec.Volumes {
		if volume.PersistentVolumeClaim != nil {
			names = append(names, volume.PersistentVolumeClaim.ClaimName)
		}
	}
	return names
}
