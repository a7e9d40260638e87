package main

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/deploy/scenario"
)

// patience is how long one step may take on a slow machine.
const patience = 3 * time.Minute

// until waits for a condition.
func (p *player) until(ctx context.Context, condition scenario.Condition) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		reason, err := p.missing(ctx, condition)
		if err != nil {
			return err
		}
		if reason == "" {
			time.Sleep(300 * time.Millisecond) // the last lines belong to this step
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %s", ctx.Err(), reason)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// missing says what a condition still lacks; empty if nothing.
func (p *player) missing(ctx context.Context, condition scenario.Condition) (string, error) {
	switch condition.What {
	case scenario.Left:
		left, err := p.get(ctx, "statefulsets,pods,pvc", "{.items[*].metadata.name}")
		if left != "" {
			left += " are still there"
		}
		return left, err
	case scenario.Shows:
		value, err := p.get(ctx, condition.Objects, condition.Path)
		if value == "" || condition.Value != "" && value != condition.Value {
			return fmt.Sprintf("%s shows %q", condition.Objects, value), err
		}
		return "", err
	}
	set, err := p.client.AppsV1().StatefulSets("default").Get(ctx, p.scenario.Set, metav1.GetOptions{})
	if err != nil {
		return "", err
	}
	if condition.What == scenario.Settled {
		return unsettled(set), nil
	}
	return p.notRunning(ctx, set, condition)
}

// unsettled says what a set lacks that is in the desired state, or as far as its partition lets it come.
func unsettled(set *appsv1.StatefulSet) string {
	want, st := *set.Spec.Replicas, set.Status
	updated := st.UpdatedReplicas == want && st.CurrentRevision == st.UpdateRevision
	if partition := *set.Spec.UpdateStrategy.RollingUpdate.Partition; partition > 0 {
		updated = updated || st.UpdatedReplicas == want-partition
	}
	if st.ObservedGeneration != set.Generation || st.Replicas != want || st.AvailableReplicas != want || !updated {
		return fmt.Sprintf("the status is %+v", st)
	}
	return ""
}

// notRunning says what is missing until a pod runs an image, and whoever acts has seen the newest template.
func (p *player) notRunning(ctx context.Context, set *appsv1.StatefulSet, condition scenario.Condition) (string, error) {
	if set.Status.ObservedGeneration != set.Generation {
		return "the template is not observed", nil
	}
	pod, err := p.client.CoreV1().Pods("default").Get(ctx, condition.Pod, metav1.GetOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return "", err
	}
	if err != nil || pod.DeletionTimestamp != nil || pod.Spec.Containers[0].Image != condition.Image || pod.Status.Phase != corev1.PodRunning {
		return condition.Pod + " does not run " + condition.Image, nil
	}
	return "", nil
}

// get reads a value; empty where there is none, or no such object.
func (p *player) get(ctx context.Context, objects, path string) (string, error) {
	return p.program(ctx, "kubectl", "get", objects, "--ignore-not-found", "-o", "jsonpath="+path)
}
