package kube

import (
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/setplan/setplan/adapters/snapshot"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// cachedSet is what the cache keeps of a set: its metadata, and the rest once, in the contract's form. The template stays
// bytes, because a tree takes ten times as much. Snapshots share the message and never change it.
type cachedSet struct {
	// Metadata and status. Of managedFields only who wrote which fields of the status, and when.
	*unstructured.Unstructured

	message    *setplanv1.StatefulSet
	claimNames []string // of the set's own claim templates
	addedNames []string // of those that its annotation adds
	unreadable error    // why the set cannot be put into the contract's form

	// Of a kind whose templates come without their defaults: the spec as it came, and what is asked about it.
	undefaulted json.RawMessage
	question    questionID
	claimed     questionID // with what claims can follow

	// The set as the API server has it, without managedFields and annotations: its spec, which versions share, and the rest. Nil
	// if it came as JSON.
	spec, rest []byte
}

// claimTemplates lists the names of both, and of those that revisions add.
func (s *cachedSet) claimTemplates(revisions []*appsv1.ControllerRevision) []string {
	return snapshot.ClaimTemplates(s.claimNames, s.addedNames, snapshot.AddedIn(revisions, s.claimNames))
}

// edited reports whether the status does not tell of the set's generation yet: somebody has changed the spec, and waits.
func (s *cachedSet) edited() bool {
	return s.message.GetStatus().GetObservedGeneration() < s.message.GetGeneration()
}

// kept are the fields of metadata that are used here. Annotations are in the message, too, and share their text.
var kept = []string{"namespace", "name", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "annotations", "finalizers"}

// lightSet is a transform for sets without a known earlier version.
func lightSet(kind SetKind) func(object any) (any, error) {
	return lightSetAfter(kind, func(string, string) *cachedSet { return nil })
}

// lightSetAfter is the transform of the set informer. last returns the cached version of a set, or nil.
func lightSetAfter(kind SetKind, last func(namespace, name string) *cachedSet) func(object any) (any, error) {
	return func(object any) (any, error) {
		if typed, ok := object.(*appsv1.StatefulSet); ok {
			return lightTyped(kind, typed, last(typed.Namespace, typed.Name))
		}
		set, ok := object.(*unstructured.Unstructured)
		if !ok {
			return object, nil // a tombstone, or transformed before
		}
		whole, err := snapshot.FromUnstructured(set)
		whole.APIVersion, whole.Kind = kind.APIVersion(), kind.Kind
		light := &cachedSet{Unstructured: lightMetadata(set), claimNames: whole.ClaimTemplates()}
		light.addedNames = snapshot.AddedBy(whole.Annotations, light.claimNames)
		if err == nil {
			light.message, err = whole.Message()
		}
		if err == nil && kind != StatefulSets() {
			err = light.withQuestion(whole.Spec)
		}
		light.unreadable = err
		return light, nil
	}
}

func lightMetadata(set *unstructured.Unstructured) *unstructured.Unstructured {
	from, _ := set.Object["metadata"].(map[string]any)
	metadata := make(map[string]any, len(kept)+1)
	for _, field := range kept {
		if value, ok := from[field]; ok {
			metadata[field] = value
		}
	}
	if entries, _ := from["managedFields"].([]any); len(entries) > 0 {
		metadata["managedFields"] = lightWriters(entries)
	}
	light := map[string]any{"metadata": metadata}
	if status, _ := set.Object["status"].(map[string]any); status != nil {
		light["status"] = status // small, and conditions are written back as they were read
	}
	return &unstructured.Unstructured{Object: light}
}

// lightWriters keeps only what the guard reads of managedFields: the entries of the status, with the top-level fields of the
// status.
func lightWriters(entries []any) []any {
	var light []any
	for _, entry := range entries {
		fields, _ := entry.(map[string]any)
		if fields["subresource"] == "status" {
			light = append(light, map[string]any{
				"manager": fields["manager"], "operation": fields["operation"], "apiVersion": fields["apiVersion"],
				"time": fields["time"], "subresource": "status", "fieldsV1": lightFields(fields["fieldsV1"]),
			})
		}
	}
	return light
}

func lightFields(fields any) map[string]any {
	all, _ := fields.(map[string]any)
	owned, _ := all["f:status"].(map[string]any)
	names := make(map[string]any, len(owned))
	for name := range owned {
		names[name] = nil
	}
	return map[string]any{"f:status": names}
}

// setIn returns the set in an object from the cache or a handler.
func setIn(object any) (*unstructured.Unstructured, bool) {
	set, ok := object.(*cachedSet)
	if !ok {
		return nil, false
	}
	return set.Unstructured, true
}

func cachedSetIn(object any) (*cachedSet, error) {
	set, ok := object.(*cachedSet)
	if !ok {
		return nil, fmt.Errorf("the cache of sets holds a %T", object)
	}
	return set, nil
}
