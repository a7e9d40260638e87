//go:build e2e

package e2e

import (
	"context"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// deletePod is kubectl delete pod.
func (s *scene) deletePod(name string) {
	s.Helper()
	noError(s, s.client.CoreV1().Pods(s.namespace).Delete(context.Background(), name, metav1.DeleteOptions{}))
}

// patchPod applies a merge patch to a pod.
func (s *scene) patchPod(name, patch string) {
	s.Helper()
	must(s.client.CoreV1().Pods(s.namespace).Patch(context.Background(), name, types.MergePatchType, []byte(patch),
		metav1.PatchOptions{}))(s)
}

// pin keeps a deleted pod terminating until it is unpinned.
func (s *scene) pin(name string)   { s.patchPod(name, `{"metadata":{"finalizers":["setplan.io/test"]}}`) }
func (s *scene) unpin(name string) { s.patchPod(name, `{"metadata":{"finalizers":null}}`) }

func image(image string) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) { set.Spec.Template.Spec.Containers[0].Image = image }
}

func partition(n int32) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) {
		set.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.RollingUpdateStatefulSetStrategyType,
			RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: &n}}
	}
}

func onDelete(set *appsv1.StatefulSet) {
	set.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.OnDeleteStatefulSetStrategyType}
}

// atPath matches requests by verb and by the beginning of the path.
func atPath(verb, prefix string) func(call) bool {
	return func(c call) bool { return c.verb == verb && strings.HasPrefix(c.path, prefix) }
}

// deletedWithAll lets claims be deleted with their pods and with the set.
func deletedWithAll(set *appsv1.StatefulSet) {
	set.Spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{
		WhenDeleted: appsv1.DeletePersistentVolumeClaimRetentionPolicyType,
		WhenScaled:  appsv1.DeletePersistentVolumeClaimRetentionPolicyType,
	}
}

func maxUnavailable(value intstr.IntOrString) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) {
		set.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.RollingUpdateStatefulSetStrategyType,
			RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{MaxUnavailable: &value}}
	}
}

// mostUnavailable is the largest number of a set's pods that were missing, terminating or unready at one time after a version.
func (s *scene) mostUnavailable(after int64, replicas int) int {
	most := 0
	s.replay(func(c change, pods map[string]*unstructured.Unstructured) {
		available := 0
		for _, pod := range pods {
			if isReady(pod) && pod.GetDeletionTimestamp() == nil {
				available++
			}
		}
		if c.version > after {
			most = max(most, replicas-available)
		}
	})
	return most
}

// annotated gives a set an annotation.
func annotated(name, value string) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) { metav1.SetMetaDataAnnotation(&set.ObjectMeta, name, value) }
}

func startingAt(ordinal int32) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) { set.Spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: ordinal} }
}
