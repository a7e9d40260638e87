package snapshot

import (
	"encoding/json"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Set is a set as the API server has it. The spec stays JSON: its templates are sent byte for byte, and a Go type would drop unknown
// fields.
type Set struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              json.RawMessage          `json:"spec"`
	Status            appsv1.StatefulSetStatus `json:"status"`
}

// FromUnstructured converts a set of the dynamic client. The spec gets sorted keys, and integers stay integers. It keeps the
// metadata that the contract has fields for. If the status cannot be read, it returns the rest.
func FromUnstructured(set *unstructured.Unstructured) (*Set, error) {
	out := &Set{
		TypeMeta: metav1.TypeMeta{APIVersion: set.GetAPIVersion(), Kind: set.GetKind()},
		ObjectMeta: metav1.ObjectMeta{
			Namespace: set.GetNamespace(), Name: set.GetName(), UID: set.GetUID(),
			ResourceVersion: set.GetResourceVersion(), Generation: set.GetGeneration(), DeletionTimestamp: set.GetDeletionTimestamp(),
			Annotations: set.GetAnnotations(), Finalizers: set.GetFinalizers(),
		},
	}
	var err error
	if out.Spec, err = json.Marshal(set.Object["spec"]); err != nil {
		return out, fmt.Errorf("spec of %s: %w", set.GetName(), err)
	}
	status, _ := set.Object["status"].(map[string]any)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(status, &out.Status); err != nil {
		return out, fmt.Errorf("status of %s: %w", set.GetName(), err)
	}
	return out, nil
}

// spec is the part of a set's spec that the contract has fields for, with the templates as they stand.
type spec struct {
	Replicas             *int32                                                  `json:"replicas"`
	Ordinals             *appsv1.StatefulSetOrdinals                             `json:"ordinals"`
	Selector             *metav1.LabelSelector                                   `json:"selector"`
	ServiceName          string                                                  `json:"serviceName"`
	PodManagementPolicy  string                                                  `json:"podManagementPolicy"`
	UpdateStrategy       appsv1.StatefulSetUpdateStrategy                        `json:"updateStrategy"`
	MinReadySeconds      int32                                                   `json:"minReadySeconds"`
	RevisionHistoryLimit *int32                                                  `json:"revisionHistoryLimit"`
	Retention            *appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy `json:"persistentVolumeClaimRetentionPolicy"`
	Template             json.RawMessage                                         `json:"template"`
	ClaimTemplates       []json.RawMessage                                       `json:"volumeClaimTemplates"`
}

// Message returns the set in the contract's form. It shares annotations and finalizers with the set.
func (s *Set) Message() (*setplanv1.StatefulSet, error) {
	var spec spec
	if err := utiljson.Unmarshal(s.Spec, &spec); err != nil {
		return nil, fmt.Errorf("spec of %s: %w", s.Name, err)
	}
	out := spec.message()
	if s.APIVersion != builtin {
		own, err := ownFields(s.Spec)
		if err != nil {
			return nil, fmt.Errorf("spec of %s: %w", s.Name, err)
		}
		out.OwnFields = own
	}
	return s.MessageLike(out), nil
}

// message has what the contract has fields for.
func (s *spec) message() *setplanv1.StatefulSet {
	out := &setplanv1.StatefulSet{
		Replicas:             s.Replicas,
		Selector:             selector(s.Selector),
		ServiceName:          s.ServiceName,
		PodManagementPolicy:  s.PodManagementPolicy,
		UpdateStrategy:       strategy(&s.UpdateStrategy),
		MinReadySeconds:      s.MinReadySeconds,
		RevisionHistoryLimit: s.RevisionHistoryLimit,
		PodTemplate:          s.Template,
	}
	for _, template := range s.ClaimTemplates {
		out.ClaimTemplates = append(out.ClaimTemplates, template)
	}
	if s.Ordinals != nil {
		out.OrdinalsStart = s.Ordinals.Start
	}
	if retention := s.Retention; retention != nil {
		out.ClaimRetention = &setplanv1.ClaimRetention{
			WhenDeleted: string(retention.WhenDeleted),
			WhenScaled:  string(retention.WhenScaled),
		}
	}
	return out
}

// MessageLike returns the message of a set with the same spec as another message, and shares what comes from the spec. Most
// versions of a set differ only in the status, and reading a template takes longer than all the rest.
func (s *Set) MessageLike(spec *setplanv1.StatefulSet) *setplanv1.StatefulSet {
	return WithSpec(&setplanv1.StatefulSet{
		ApiVersion:      s.APIVersion,
		Kind:            s.Kind,
		Namespace:       s.Namespace,
		Name:            s.Name,
		Uid:             string(s.UID),
		Generation:      s.Generation,
		ResourceVersion: s.ResourceVersion,
		DeletionUnixMs:  millis(s.DeletionTimestamp),
		Annotations:     s.Annotations,
		Status:          status(s.Status),
		Finalizers:      s.Finalizers,
	}, spec)
}

// WithSpec is the message of a set with what comes from the spec taken from another. It shares all with both.
func WithSpec(set, spec *setplanv1.StatefulSet) *setplanv1.StatefulSet {
	return &setplanv1.StatefulSet{
		ApiVersion:      set.ApiVersion,
		Kind:            set.Kind,
		Namespace:       set.Namespace,
		Name:            set.Name,
		Uid:             set.Uid,
		Generation:      set.Generation,
		ResourceVersion: set.ResourceVersion,
		DeletionUnixMs:  set.DeletionUnixMs,
		Annotations:     set.Annotations,
		Status:          set.Status,
		Finalizers:      set.Finalizers,

		Replicas:             spec.Replicas,
		OrdinalsStart:        spec.OrdinalsStart,
		Selector:             spec.Selector,
		ServiceName:          spec.ServiceName,
		PodManagementPolicy:  spec.PodManagementPolicy,
		UpdateStrategy:       spec.UpdateStrategy,
		MinReadySeconds:      spec.MinReadySeconds,
		RevisionHistoryLimit: spec.RevisionHistoryLimit,
		ClaimRetention:       spec.ClaimRetention,
		PodTemplate:          spec.PodTemplate,
		ClaimTemplates:       spec.ClaimTemplates,
		OwnFields:            spec.OwnFields,
		Refusal:              spec.Refusal,
	}
}

// ClaimTemplates lists the names of the claim templates, each once: refusing a duplicate is the planner's business. It works even if
// Message fails, because other sets must know this set's claim names.
func (s *Set) ClaimTemplates() []string {
	var spec struct {
		ClaimTemplates []json.RawMessage `json:"volumeClaimTemplates"`
	}
	if utiljson.Unmarshal(s.Spec, &spec) != nil {
		return nil
	}
	return templateNames(spec.ClaimTemplates)
}

func templateNames(templates []json.RawMessage) []string {
	var names []string
	for _, template := range templates {
		var claim struct {
			Metadata struct {
				Name string `json:"name"`
			} `json:"metadata"`
		}
		if err := utiljson.Unmarshal(template, &claim); err != nil || claim.Metadata.Name == "" || slices.Contains(names, claim.Metadata.Name) {
			continue
		}
		names = append(names, claim.Metadata.Name)
	}
	return names
}
