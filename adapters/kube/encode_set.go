package kube

import (
	"fmt"

	"google.golang.org/protobuf/types/known/timestamppb"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// encodeSet turns a set into the contract's form. Only what has a typed field goes through a Go type.
func encodeSet(kind SetKind, set *unstructured.Unstructured, encoded *encodedSpec) (*setplanv1.StatefulSet, error) {
	status, err := typedStatus(set)
	if err != nil {
		return nil, err
	}
	spec, templates := encoded.typed, encoded.templates
	out := &setplanv1.StatefulSet{
		ApiVersion:           kind.APIVersion(),
		Kind:                 kind.Kind,
		Namespace:            set.GetNamespace(),
		Name:                 set.GetName(),
		Uid:                  string(set.GetUID()),
		Generation:           set.GetGeneration(),
		ResourceVersion:      set.GetResourceVersion(),
		DeletionUnixMs:       millisOf(set.GetDeletionTimestamp()),
		Annotations:          set.GetAnnotations(),
		Replicas:             spec.Replicas,
		Selector:             encodeSelector(spec.Selector),
		ServiceName:          spec.ServiceName,
		PodManagementPolicy:  string(spec.PodManagementPolicy),
		UpdateStrategy:       encodeStrategy(&spec.UpdateStrategy),
		MinReadySeconds:      spec.MinReadySeconds,
		RevisionHistoryLimit: spec.RevisionHistoryLimit,
		PodTemplate:          templates.pod,
		ClaimTemplates:       templates.claims,
		Status:               encodeStatus(status),
		Finalizers:           set.GetFinalizers(),
	}
	if spec.Ordinals != nil {
		out.OrdinalsStart = spec.Ordinals.Start
	}
	if retention := spec.PersistentVolumeClaimRetentionPolicy; retention != nil {
		out.ClaimRetention = &setplanv1.ClaimRetention{
			WhenDeleted: string(retention.WhenDeleted),
			WhenScaled:  string(retention.WhenScaled),
		}
	}
	return out, nil
}

func typedStatus(set *unstructured.Unstructured) (*appsv1.StatefulSetStatus, error) {
	status := &appsv1.StatefulSetStatus{}
	raw, _ := set.Object["status"].(map[string]any)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(raw, status); err != nil {
		return nil, fmt.Errorf("status of %s: %w", set.GetName(), err)
	}
	return status, nil
}

func encodeSelector(selector *metav1.LabelSelector) *setplanv1.LabelSelector {
	if selector == nil {
		return nil
	}
	out := &setplanv1.LabelSelector{MatchLabels: selector.MatchLabels}
	for _, requirement := range selector.MatchExpressions {
		out.MatchExpressions = append(out.MatchExpressions, &setplanv1.LabelRequirement{
			Key:      requirement.Key,
			Operator: string(requirement.Operator),
			Values:   requirement.Values,
		})
	}
	return out
}

// encodeStrategy keeps apart a missing rollingUpdate and one with partition 0: they mean different things.
func encodeStrategy(strategy *appsv1.StatefulSetUpdateStrategy) *setplanv1.UpdateStrategy {
	if strategy.Type == "" && strategy.RollingUpdate == nil {
		return nil
	}
	out := &setplanv1.UpdateStrategy{Type: string(strategy.Type)}
	if rolling := strategy.RollingUpdate; rolling != nil {
		out.RollingUpdate = &setplanv1.RollingUpdate{MaxUnavailable: encodeIntOrPercent(rolling.MaxUnavailable)}
		if rolling.Partition != nil {
			out.RollingUpdate.Partition = *rolling.Partition
		}
	}
	return out
}

func encodeIntOrPercent(value *intstr.IntOrString) *setplanv1.IntOrPercent {
	switch {
	case value == nil:
		return nil
	case value.Type == intstr.Int:
		return &setplanv1.IntOrPercent{Value: &setplanv1.IntOrPercent_Count{Count: value.IntVal}}
	default:
		return &setplanv1.IntOrPercent{Value: &setplanv1.IntOrPercent_Percent{Percent: value.StrVal}}
	}
}

// encodeStatus points into the status, which is nobody else's.
func encodeStatus(status *appsv1.StatefulSetStatus) *setplanv1.StatefulSetStatus {
	out := &setplanv1.StatefulSetStatus{
		ObservedGeneration: &status.ObservedGeneration,
		Replicas:           &status.Replicas,
		ReadyReplicas:      &status.ReadyReplicas,
		AvailableReplicas:  &status.AvailableReplicas,
		CurrentReplicas:    &status.CurrentReplicas,
		UpdatedReplicas:    &status.UpdatedReplicas,
		CurrentRevision:    &status.CurrentRevision,
		UpdateRevision:     &status.UpdateRevision,
		CollisionCount:     status.CollisionCount,
	}
	for i := range status.Conditions {
		condition := &status.Conditions[i]
		out.Conditions = append(out.Conditions, &setplanv1.Condition{
			Type:               string(condition.Type),
			Status:             string(condition.Status),
			Reason:             condition.Reason,
			Message:            condition.Message,
			LastTransitionTime: timestamp(condition.LastTransitionTime),
		})
	}
	return out
}

// timestamp is nil where there is no time.
func timestamp(at metav1.Time) *timestamppb.Timestamp {
	if at.IsZero() {
		return nil
	}
	return timestamppb.New(at.Time)
}
