//go:build e2e

package e2e

import (
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func maxUnavailable(value intstr.IntOrString) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) {
		set.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.RollingUpdateStatefulSetStrategyType,
			RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{MaxUnavailable: &value}}
	}
}

func ordered(*appsv1.StatefulSet) {}

func TestMaxUnavailable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		policy   func(*appsv1.StatefulSet)
		value    intstr.IntOrString
		replicas int32
		budget   int
	}{
		"Parallel-2":          {parallel, intstr.FromInt32(2), 5, 2},
		"Parallel-40-percent": {parallel, intstr.FromString("40%"), 5, 2},
		"Ordered-2":           {ordered, intstr.FromInt32(2), 5, 2},
		"Ordered-40-percent":  {ordered, intstr.FromString("40%"), 7, 2}, // 2.8, rounded down
		"Parallel-1-percent":  {parallel, intstr.FromString("1%"), 3, 1}, // 0.03, but at least 1
		"Parallel-unset":      {parallel, intstr.IntOrString{}, 3, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, shared.cluster)
			options := []func(*appsv1.StatefulSet){withoutClaims, c.policy, graceful}
			if c.value != (intstr.IntOrString{}) {
				options = append(options, maxUnavailable(c.value))
			}
			s.create(webSet("web", c.replicas, options...))
			s.settled("web")
			before := len(s.events("Pod"))
			from := s.all()
			s.image("web", image2)
			s.settled("web")
			if most := s.mostUnavailable(from[len(from)-1].version, int(c.replicas)); most != c.budget {
				t.Errorf("at most %d pods were unavailable at once, want exactly %d: %s", most, c.budget, s.pods())
			}
			// Highest ordinal first, each once.
			deleted := words(s.events("Pod")[before:], "-")
			if !slices.IsSortedFunc(deleted, func(a, b string) int { return strings.Compare(b, a) }) || len(deleted) != int(c.replicas) {
				t.Errorf("deleted %v, want each once, the highest first", deleted)
			}
		})
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
