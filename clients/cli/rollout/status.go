package rollout

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/setplan/setplan/clients/cli/printable"
)

// seen has the fields that show the progress of a rollout. No other field is decoded: other kinds may have fields of other types there.
type seen struct {
	Metadata struct {
		Generation int64 `json:"generation"`
	} `json:"metadata"`
	Spec struct {
		Replicas       *int32                           `json:"replicas"`
		UpdateStrategy appsv1.StatefulSetUpdateStrategy `json:"updateStrategy"`
	} `json:"spec"`
	Status appsv1.StatefulSetStatus `json:"status"`
}

// left is what the planner says is left to do; empty: nothing, or it writes no conditions.
func (s *seen) left() string {
	for _, c := range s.Status.Conditions {
		if c.Type == "Reconciling" && c.Status == corev1.ConditionTrue {
			return c.Message
		}
	}
	return ""
}

// read decodes a set and fills in the defaults of apps/v1.
func read(set *unstructured.Unstructured) (*seen, error) {
	s := &seen{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(set.Object, s); err != nil {
		return nil, fmt.Errorf("%s does not have the spec of a StatefulSet: %w", set.GetName(), err)
	}
	if s.Spec.Replicas == nil {
		s.Spec.Replicas = new(int32(1))
	}
	// An API server fills in rollingUpdate only if there is no type.
	if strategy := &s.Spec.UpdateStrategy; strategy.Type == "" {
		strategy.Type = appsv1.RollingUpdateStatefulSetStrategyType
		if strategy.RollingUpdate == nil {
			strategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{}
		}
	}
	return s, nil
}

// Status says how far the rollout of a set is, and whether it is done. It fails under OnDelete. The words are
// kubectl's, because scripts wait for them. So are the rules, but for one: as long as the set has the condition Reconciling, it is not done. The counters
// tell neither of pods that are terminating or not available yet, nor of drains.
func Status(set *unstructured.Unstructured) (text string, done bool, err error) {
	s, err := read(set)
	if err != nil {
		return "", false, err
	}
	text, done, err = s.counted()
	if left := s.left(); err == nil && done && left != "" {
		return "Waiting for statefulset rolling update to complete: " + printable.Line(left) + "\n", false, nil
	}
	return text, done, err
}

// counted is what kubectl says.
func (s *seen) counted() (text string, done bool, err error) {
	recreates := s.Spec.UpdateStrategy.Type == "Recreate" // of which kubectl says nothing
	if s.Spec.UpdateStrategy.Type != appsv1.RollingUpdateStatefulSetStrategyType && !recreates {
		return "", true, fmt.Errorf("rollout status is only available for %s strategy type", appsv1.RollingUpdateStatefulSetStrategyType)
	}
	if !s.observed() {
		return "Waiting for statefulset spec update to be observed...\n", false, nil
	}
	st, want := &s.Status, *s.Spec.Replicas
	if st.ReadyReplicas < want {
		return fmt.Sprintf("Waiting for %d pods to be ready...\n", want-st.ReadyReplicas), false, nil
	}
	rolling := s.Spec.UpdateStrategy.RollingUpdate
	switch {
	case rolling == nil && (st.UpdateRevision != st.CurrentRevision || recreates && st.UpdatedReplicas < want):
		return fmt.Sprintf("waiting for statefulset rolling update to complete %d pods at revision %s...\n", st.UpdatedReplicas, printable.Line(st.UpdateRevision)), false, nil
	case rolling == nil:
		return fmt.Sprintf("statefulset rolling update complete %d pods at revision %s...\n", st.CurrentReplicas, printable.Line(st.CurrentRevision)), true, nil
	case rolling.Partition != nil:
		want -= *rolling.Partition
	}
	if st.UpdatedReplicas < want {
		return fmt.Sprintf("Waiting for partitioned roll out to finish: %d out of %d new pods have been updated...\n", st.UpdatedReplicas, want), false, nil
	}
	return fmt.Sprintf("partitioned roll out complete: %d new pods have been updated...\n", st.UpdatedReplicas), true, nil
}

// observed reports whether the status is about the current spec.
func (s *seen) observed() bool {
	return s.Status.ObservedGeneration != 0 && s.Status.ObservedGeneration >= s.Metadata.Generation
}

// Running returns the name of the revision that is rolled out; empty until the current spec has been observed.
func Running(set *unstructured.Unstructured) (string, error) {
	s, err := read(set)
	if err != nil || !s.observed() {
		return "", err
	}
	return s.Status.UpdateRevision, nil
}
