//go:build e2e

package e2e

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// deletePod is kubectl delete pod.
func (s *scene) deletePod(name string) {
	s.Helper()
	if err := s.client.CoreV1().Pods(s.namespace).Delete(context.Background(), name, metav1.DeleteOptions{}); err != nil {
		s.Fatal(err)
	}
}

// patchPod applies a merge patch to a pod.
func (s *scene) patchPod(name, patch string) {
	s.Helper()
	if _, err := s.client.CoreV1().Pods(s.namespace).Patch(context.Background(), name, types.MergePatchType, []byte(patch),
		metav1.PatchOptions{}); err != nil {
		s.Fatal(err)
	}
}

// evict asks the API to evict a pod, as a drain of its node does.
func (s *scene) evict(name string) {
	s.Helper()
	if err := s.client.PolicyV1().Evictions(s.namespace).Evict(context.Background(),
		&policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Namespace: s.namespace, Name: name}}); err != nil {
		s.Fatal(err)
	}
}

// pin keeps a deleted pod terminating until it is unpinned.
func (s *scene) pin(name string)   { s.patchPod(name, `{"metadata":{"finalizers":["setplan.io/test"]}}`) }
func (s *scene) unpin(name string) { s.patchPod(name, `{"metadata":{"finalizers":null}}`) }

// release ends the hold of a pod from a template with held.
func (s *scene) release(name string) {
	s.patchPod(name, `{"metadata":{"annotations":{"setplan.io/test-hold":null}}}`)
}

// held makes pods that stay pending until release.
func held(set *appsv1.StatefulSet) {
	set.Spec.Template.Annotations = map[string]string{"setplan.io/test-hold": "true"}
}

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

// graceful gives pods a grace period, so that they are seen terminating.
func graceful(set *appsv1.StatefulSet) {
	seconds := int64(30)
	set.Spec.Template.Spec.TerminationGracePeriodSeconds = &seconds
}
