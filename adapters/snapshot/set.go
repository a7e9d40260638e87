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

// FromTyped converts a set of a typed client. The result is the same as from FromUnstructured and the API server's JSON, if the API
// server has the version of these types.
func FromTyped(set *appsv1.StatefulSet) (*Set, error) {
	out := &Set{TypeMeta: set.TypeMeta, ObjectMeta: set.ObjectMeta, Status: set.Status}
	var err error
	if out.Spec, err = sorted(servedSpec(set)); err != nil {
		return out, fmt.Errorf("spec of %s: %w", set.Name, err)
	}
	return out, nil
}

// ServedJSON is the JSON that the API server would have sent for a set.
func ServedJSON(set *appsv1.StatefulSet) ([]byte, error) {
	whole := *set
	whole.Spec = *servedSpec(set)
	return json.Marshal(&whole)
}

// servedSpec is a set's spec as the API server sends it: with kind and version of each claim template, which protobuf drops.
func servedSpec(set *appsv1.StatefulSet) *appsv1.StatefulSetSpec {
	spec := set.Spec
	spec.VolumeClaimTemplates = slices.Clone(spec.VolumeClaimTemplates)
	for i := range spec.VolumeClaimTemplates {
		spec.VolumeClaimTemplates[i].TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"}
	}
	return &spec
}

// sorted returns the JSON of a value with sorted keys.
func sorted(value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var tree any
	if err := utiljson.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	return json.Marshal(tree)
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
	out := &setplanv1.StatefulSet{
		Replicas:             spec.Replicas,
		Selector:             selector(spec.Selector),
		ServiceName:          spec.ServiceName,
		PodManagementPolicy:  spec.PodManagementPolicy,
		UpdateStrategy:       strategy(&spec.UpdateStrategy),
		MinReadySeconds:      spec.MinReadySeconds,
		RevisionHistoryLimit: spec.RevisionHistoryLimit,
		PodTemplate:          spec.Template,
	}
	for _, template := range spec.ClaimTemplates {
		out.ClaimTemplates = append(out.ClaimTemplates, template)
	}
	if s.APIVersion != builtin {
		own, err := ownFields(s.Spec)
		if err != nil {
			return nil, fmt.Errorf("spec of %s: %w", s.Name, err)
		}
		out.OwnFields = own
	}
	if spec.Ordinals != nil {
		out.OrdinalsStart = spec.Ordinals.Start
	}
	if retention := spec.Retention; retention != nil {
		out.ClaimRetention = &setplanv1.ClaimRetention{
			WhenDeleted: string(retention.WhenDeleted),
			WhenScaled:  string(retention.WhenScaled),
		}
	}
	return s.MessageLike(out), nil
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
	var names []string
	for _, template := range spec.ClaimTemplates {
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
