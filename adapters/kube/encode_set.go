package kube

import (
	"fmt"
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// encodeSet turns a set into the contract's form. Only what has a typed field goes through a Go type.
func (s *Source) encodeSet(key adapters.Key, set *unstructured.Unstructured) (*setplanv1.StatefulSet, templates, error) {
	templates, err := s.encoded.of(key, set)
	if err != nil {
		return nil, templates, err
	}
	spec, status, err := typedParts(set)
	if err != nil {
		return nil, templates, err
	}
	out := &setplanv1.StatefulSet{
		ApiVersion:           s.kind.APIVersion(),
		Kind:                 s.kind.Kind,
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
	return out, templates, nil
}

// typedParts decodes spec and status without the templates, which stay bytes.
func typedParts(set *unstructured.Unstructured) (*appsv1.StatefulSetSpec, *appsv1.StatefulSetStatus, error) {
	spec, status := &appsv1.StatefulSetSpec{}, &appsv1.StatefulSetStatus{}
	rawSpec, _ := set.Object["spec"].(map[string]any)
	light := maps.Clone(rawSpec)
	delete(light, "template")
	delete(light, "volumeClaimTemplates")
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(light, spec); err != nil {
		return nil, nil, fmt.Errorf("spec of %s: %w", set.GetName(), err)
	}
	rawStatus, _ := set.Object["status"].(map[string]any)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(rawStatus, status); err != nil {
		return nil, nil, fmt.Errorf("status of %s: %w", set.GetName(), err)
	}
	return spec, status, nil
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

func encodeStatus(status *appsv1.StatefulSetStatus) *setplanv1.SetStatus {
	return &setplanv1.SetStatus{
		ObservedGeneration: status.ObservedGeneration,
		Replicas:           status.Replicas,
		ReadyReplicas:      status.ReadyReplicas,
		AvailableReplicas:  status.AvailableReplicas,
		CurrentReplicas:    status.CurrentReplicas,
		UpdatedReplicas:    status.UpdatedReplicas,
		CurrentRevision:    status.CurrentRevision,
		UpdateRevision:     status.UpdateRevision,
		CollisionCount:     status.CollisionCount,
	}
}
