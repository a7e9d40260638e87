package main

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/setplan/setplan/deploy/scenario"
)

// host does what our simulated nodes and their storage do not, until the context ends: it gives claims what they ask for, and containers their
// resources, and says which pods are ready. A call that fails is made again a moment later.
func host(ctx context.Context, client kubernetes.Interface) {
	for ctx.Err() == nil {
		capacity := grow(ctx, client)
		pods, err := client.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
		for i := 0; err == nil && i < len(pods.Items); i++ {
			pod := &pods.Items[i]
			before := pod.DeepCopy()
			if pod.Status.Phase == corev1.PodRunning && pod.DeletionTimestamp == nil && len(pod.Status.ContainerStatuses) > 0 {
				report(pod, holds(pod, capacity))
			}
			if !equality.Semantic.DeepEqual(before.Status, pod.Status) {
				_, _ = client.CoreV1().Pods("default").UpdateStatus(ctx, pod, metav1.UpdateOptions{})
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// grow gives each bound claim what it asks for, and returns what the claims have.
func grow(ctx context.Context, client kubernetes.Interface) map[string]resource.Quantity {
	claims, err := client.CoreV1().PersistentVolumeClaims("default").List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil
	}
	capacity := map[string]resource.Quantity{}
	for i := range claims.Items {
		claim := &claims.Items[i]
		wanted, has := claim.Spec.Resources.Requests[corev1.ResourceStorage], claim.Status.Capacity[corev1.ResourceStorage]
		if claim.Status.Phase == corev1.ClaimBound && wanted.Cmp(has) > 0 {
			claim.Status.Capacity = corev1.ResourceList{corev1.ResourceStorage: wanted}
			_, _ = client.CoreV1().PersistentVolumeClaims("default").UpdateStatus(ctx, claim, metav1.UpdateOptions{})
		}
		capacity[claim.Name] = has
	}
	return capacity
}

// holds reports whether the volume of a pod holds its data.
func holds(pod *corev1.Pod, capacity map[string]resource.Quantity) bool {
	data, err := resource.ParseQuantity(pod.Annotations[scenario.AnnotationData])
	has, known := capacity["data-"+pod.Name]
	return err != nil || known && data.Cmp(has) <= 0
}

// report says what a kubelet would: which spec it knows of, what runs with which resources, and whether the pod is ready.
func report(pod *corev1.Pod, ready bool) {
	pod.Status.ObservedGeneration = pod.Generation
	for i := range pod.Status.ContainerStatuses {
		status := &pod.Status.ContainerStatuses[i]
		status.Ready = ready
		status.Resources = pod.Spec.Containers[i].Resources.DeepCopy()
		if status.ContainerID == "" {
			status.ContainerID = fmt.Sprintf("demo://%s/%d", pod.UID, i)
		}
	}
	say := map[bool]corev1.ConditionStatus{true: corev1.ConditionTrue, false: corev1.ConditionFalse}[ready]
	for i := range pod.Status.Conditions {
		c := &pod.Status.Conditions[i]
		if (c.Type == corev1.PodReady || c.Type == corev1.ContainersReady) && c.Status != say {
			c.Status, c.LastTransitionTime = say, metav1.Now()
		}
	}
}
