package snapshot

import (
	"google.golang.org/protobuf/types/known/timestamppb"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func selector(from *metav1.LabelSelector) *setplanv1.LabelSelector {
	if from == nil {
		return nil
	}
	out := &setplanv1.LabelSelector{MatchLabels: from.MatchLabels}
	for _, requirement := range from.MatchExpressions {
		out.MatchExpressions = append(out.MatchExpressions, &setplanv1.LabelRequirement{
			Key:      requirement.Key,
			Operator: string(requirement.Operator),
			Values:   requirement.Values,
		})
	}
	return out
}

// strategy distinguishes a missing rollingUpdate from one with partition 0: they mean different things.
func strategy(from *appsv1.StatefulSetUpdateStrategy) *setplanv1.UpdateStrategy {
	if from.Type == "" && from.RollingUpdate == nil {
		return nil
	}
	out := &setplanv1.UpdateStrategy{Type: string(from.Type)}
	if rolling := from.RollingUpdate; rolling != nil {
		out.RollingUpdate = &setplanv1.RollingUpdate{MaxUnavailable: intOrPercent(rolling.MaxUnavailable)}
		if rolling.Partition != nil {
			out.RollingUpdate.Partition = *rolling.Partition
		}
	}
	return out
}

func intOrPercent(value *intstr.IntOrString) *setplanv1.IntOrPercent {
	switch {
	case value == nil:
		return nil
	case value.Type == intstr.Int:
		return &setplanv1.IntOrPercent{Value: &setplanv1.IntOrPercent_Count{Count: value.IntVal}}
	default:
		return &setplanv1.IntOrPercent{Value: &setplanv1.IntOrPercent_Percent{Percent: value.StrVal}}
	}
}

// status points into its own copy of the status.
func status(from appsv1.StatefulSetStatus) *setplanv1.StatefulSetStatus {
	out := &setplanv1.StatefulSetStatus{
		ObservedGeneration: &from.ObservedGeneration,
		Replicas:           &from.Replicas,
		ReadyReplicas:      &from.ReadyReplicas,
		AvailableReplicas:  &from.AvailableReplicas,
		CurrentReplicas:    &from.CurrentReplicas,
		UpdatedReplicas:    &from.UpdatedReplicas,
		CurrentRevision:    &from.CurrentRevision,
		UpdateRevision:     &from.UpdateRevision,
		CollisionCount:     from.CollisionCount,
	}
	for i := range from.Conditions {
		condition := &from.Conditions[i]
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

// timestamp is nil for the zero time.
func timestamp(at metav1.Time) *timestamppb.Timestamp {
	if at.IsZero() {
		return nil
	}
	return timestamppb.New(at.Time)
}

// millis converts a time to the contract's form; nil and the zero time are 0.
func millis(at *metav1.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}
