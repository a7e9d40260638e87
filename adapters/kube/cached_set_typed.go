package kube

import (
	"bytes"
	"fmt"
	"time"
	"unicode/utf8"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/setplan/setplan/adapters/snapshot"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// lightTyped is what the cache keeps of a set that was read as protobuf: byte for byte the same as for JSON. was is another
// version of the set, or nil: most versions share its spec.
func lightTyped(kind SetKind, set *appsv1.StatefulSet, was *cachedSet) (any, error) {
	if !validTexts(set) {
		return lightThroughJSON(kind, set)
	}
	status, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&set.Status)
	if err != nil {
		return nil, err
	}
	light := &cachedSet{
		Unstructured: &unstructured.Unstructured{Object: map[string]any{"metadata": typedMetadata(&set.ObjectMeta), "status": status}},
	}
	if light.spec, light.rest, err = stored(set); err != nil {
		return nil, err
	}
	var spec *setplanv1.StatefulSet
	if was != nil && was.message != nil && bytes.Equal(was.spec, light.spec) {
		light.spec, light.claimNames, spec = was.spec, was.claimNames, was.message
	} else if spec, light.claimNames, light.unreadable = snapshot.TypedSpec(&set.Spec); light.unreadable != nil {
		light.unreadable = fmt.Errorf("spec of %s: %w", set.Name, light.unreadable)
		return light, nil
	}
	light.addedNames = snapshot.AddedBy(set.Annotations, light.claimNames)
	whole := &snapshot.Set{ObjectMeta: set.ObjectMeta, Status: set.Status}
	whole.APIVersion, whole.Kind = kind.APIVersion(), kind.Kind
	light.message = whole.MessageLike(spec)
	return light, nil
}

// stored is the set as protobuf, in two parts. It lacks annotations, which may repeat the whole manifest and are in the message.
func stored(set *appsv1.StatefulSet) (spec, rest []byte, err error) {
	if spec, err = set.Spec.Marshal(); err != nil {
		return nil, nil, err
	}
	other := appsv1.StatefulSet{ObjectMeta: set.ObjectMeta, Status: set.Status}
	other.ManagedFields, other.Annotations = nil, nil
	rest, err = other.Marshal()
	return spec, rest, err
}

// whole is the set as the API server has it, without managedFields; nil if that is not known.
func (s *cachedSet) whole() *appsv1.StatefulSet {
	set := &appsv1.StatefulSet{}
	if s.spec == nil || s.message == nil || set.Unmarshal(s.rest) != nil {
		return nil
	}
	set.Annotations, set.Spec = s.message.GetAnnotations(), appsv1.StatefulSetSpec{}
	if set.Spec.Unmarshal(s.spec) != nil {
		return nil
	}
	return set
}

// lightThroughJSON treats the set like the API server's JSON.
func lightThroughJSON(kind SetKind, set *appsv1.StatefulSet) (any, error) {
	text, err := snapshot.ServedJSON(set)
	if err != nil {
		return nil, err
	}
	tree := map[string]any{}
	if err := utiljson.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	return lightSet(kind)(&unstructured.Unstructured{Object: tree})
}

// validTexts reports whether the texts that are taken from metadata and status without a detour through JSON are UTF-8.
// Protobuf may hold other bytes. JSON has U+FFFD for each, and no message of the contract can carry them.
func validTexts(set *appsv1.StatefulSet) bool {
	valid := utf8.ValidString
	ok := valid(set.Namespace) && valid(set.Name) && valid(string(set.UID)) && valid(set.ResourceVersion) &&
		valid(set.Status.CurrentRevision) && valid(set.Status.UpdateRevision)
	for name, text := range set.Annotations {
		ok = ok && valid(name) && valid(text)
	}
	for _, name := range set.Finalizers {
		ok = ok && valid(name)
	}
	for i := range set.ManagedFields {
		entry := &set.ManagedFields[i]
		ok = ok && valid(entry.Manager) && valid(string(entry.Operation)) && valid(entry.APIVersion)
	}
	for i := range set.Status.Conditions {
		c := &set.Status.Conditions[i]
		ok = ok && valid(string(c.Type)) && valid(string(c.Status)) && valid(c.Reason) && valid(c.Message)
	}
	return ok
}

// typedMetadata are the fields that lightMetadata keeps, as in the API server's JSON.
func typedMetadata(from *metav1.ObjectMeta) map[string]any {
	metadata := make(map[string]any, len(kept)+1)
	keep(metadata, "namespace", from.Namespace)
	keep(metadata, "name", from.Name)
	keep(metadata, "uid", string(from.UID))
	keep(metadata, "resourceVersion", from.ResourceVersion)
	keep(metadata, "generation", from.Generation)
	if !from.CreationTimestamp.IsZero() {
		metadata["creationTimestamp"] = timeText(&from.CreationTimestamp)
	}
	if from.DeletionTimestamp != nil {
		metadata["deletionTimestamp"] = timeText(from.DeletionTimestamp)
	}
	if len(from.Annotations) > 0 {
		annotations := make(map[string]any, len(from.Annotations))
		for name, text := range from.Annotations {
			annotations[name] = text
		}
		metadata["annotations"] = annotations
	}
	if len(from.Finalizers) > 0 {
		finalizers := make([]any, len(from.Finalizers))
		for i, name := range from.Finalizers {
			finalizers[i] = name
		}
		metadata["finalizers"] = finalizers
	}
	if len(from.ManagedFields) > 0 {
		metadata["managedFields"] = typedWriters(from.ManagedFields)
	}
	return metadata
}

// keep leaves out empty fields, as the API server does.
func keep[T comparable](in map[string]any, name string, value T) {
	var empty T
	if value != empty {
		in[name] = value
	}
}

func timeText(at *metav1.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.UTC().Format(time.RFC3339)
}

// typedWriters is lightWriters for typed entries.
func typedWriters(entries []metav1.ManagedFieldsEntry) []any {
	var light []any
	for i := range entries {
		entry := &entries[i]
		if entry.Subresource != "status" {
			continue
		}
		writer := map[string]any{"manager": nil, "operation": nil, "apiVersion": nil, "time": nil,
			"subresource": "status", "fieldsV1": typedFields(entry.FieldsV1)}
		keep(writer, "manager", entry.Manager)
		keep(writer, "operation", string(entry.Operation))
		keep(writer, "apiVersion", entry.APIVersion)
		if entry.Time != nil {
			writer["time"] = timeText(entry.Time)
		}
		light = append(light, writer)
	}
	return light
}

func typedFields(fields *metav1.FieldsV1) map[string]any {
	var all map[string]any
	if fields != nil {
		_ = utiljson.Unmarshal(fields.GetRawBytes(), &all) // the API server would not have sent it as JSON
	}
	return lightFields(all)
}
