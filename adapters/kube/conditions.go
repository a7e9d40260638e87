package kube

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Conditions reads a set as stored at a resource version.
type Conditions interface {
	// Conditions returns the set's conditions as the API server sent them. A merge patch replaces whole lists, so that a write of
	// one condition must repeat the others.
	Conditions(key adapters.Key, resourceVersion string) ([]any, error)
	// Whole returns the set with all its fields, or nil if they are not known.
	Whole(key adapters.Key, resourceVersion string) *appsv1.StatefulSet
	// Selector is that of the set's pods as a text, empty where it is not known.
	Selector(key adapters.Key) string
}

// Whole implements Conditions from the cache.
func (s *Source) Whole(key adapters.Key, resourceVersion string) *appsv1.StatefulSet {
	set, _, err := s.cached(key)
	if err != nil || set.GetResourceVersion() != resourceVersion {
		return nil
	}
	return set.whole()
}

// Selector implements Conditions from the cache.
func (s *Source) Selector(key adapters.Key) string {
	set, _, err := s.cached(key)
	if err != nil || set.message.GetSelector() == nil {
		return ""
	}
	return metav1.FormatLabelSelector(labelSelector(set.message.GetSelector()))
}

// Conditions implements the interface of that name from the cache.
func (s *Source) Conditions(key adapters.Key, resourceVersion string) ([]any, error) {
	set, _, err := s.cached(key)
	if err != nil {
		return nil, err
	}
	if set.GetResourceVersion() != resourceVersion {
		return nil, fmt.Errorf("%s has changed since the plan was made", key)
	}
	status, _ := set.Object["status"].(map[string]any)
	stored, _ := status["conditions"].([]any)
	return stored, nil
}

// mergeConditions replaces conditions by the wanted ones of the same type and keeps the others, with fields that this build
// does not know.
func mergeConditions(stored []any, wanted []*setplanv1.Condition) []any {
	merged := append([]any(nil), stored...)
	for _, condition := range wanted {
		entry := object{
			"type":    condition.GetType(),
			"status":  condition.GetStatus(),
			"reason":  condition.GetReason(),
			"message": condition.GetMessage(),
		}
		if at := condition.GetLastTransitionTime(); at != nil {
			entry["lastTransitionTime"] = at.AsTime().Format(time.RFC3339)
		}
		if at := indexOfCondition(merged, condition.GetType()); at >= 0 {
			merged[at] = entry
		} else {
			merged = append(merged, entry)
		}
	}
	return merged
}

func indexOfCondition(list []any, name string) int {
	for i, entry := range list {
		if condition, ok := entry.(map[string]any); ok && condition["type"] == name {
			return i
		}
	}
	return -1
}
