package world

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// file is a world as text. Objects are trees and not types, because types cut times to seconds and change the bytes of revision
// data, and both matter to decisions.
type file struct {
	Now       time.Time        `json:"now"`
	Gate      bool             `json:"gate"`
	Born      int              `json:"born,omitempty"`
	Fault     *Fault           `json:"fault,omitempty"`
	Set       map[string]any   `json:"set"`
	Pods      []map[string]any `json:"pods,omitempty"`
	Claims    []map[string]any `json:"claims,omitempty"`
	Revisions []map[string]any `json:"revisions,omitempty"`
}

// Format writes a world as YAML below comment lines. Equal worlds give equal text.
func (w *World) Format(comment string) []byte {
	out := file{Now: w.Now, Gate: w.Gate, Born: w.Born, Fault: w.Fault, Set: tree(w.Set, &w.Set.ObjectMeta)}
	for _, pod := range w.Pods {
		out.Pods = append(out.Pods, podTree(pod))
	}
	for _, claim := range w.Claims {
		out.Claims = append(out.Claims, tree(claim, &claim.ObjectMeta))
	}
	for _, revision := range w.Revisions {
		fields := tree(revision, &revision.ObjectMeta)
		fields["data"] = string(revision.Data.Raw)
		out.Revisions = append(out.Revisions, fields)
	}
	text, err := yaml.Marshal(out)
	if err != nil {
		panic(err) // trees of JSON values always encode
	}
	return append([]byte("# "+strings.ReplaceAll(comment, "\n", "\n# ")+"\n"), text...)
}

// Parse reads what Format wrote. It fails for unknown fields.
func Parse(text []byte) (*World, error) {
	var in file
	if err := yaml.UnmarshalStrict(text, &in); err != nil {
		return nil, err
	}
	out := &World{Now: in.Now, Gate: in.Gate, Born: in.Born, Fault: in.Fault}
	var err error
	if out.Set, err = object[appsv1.StatefulSet](in.Set); err != nil {
		return nil, fmt.Errorf("set: %w", err)
	}
	if out.Pods, err = objects[corev1.Pod](in.Pods); err != nil {
		return nil, fmt.Errorf("pods: %w", err)
	}
	if out.Claims, err = objects[corev1.PersistentVolumeClaim](in.Claims); err != nil {
		return nil, fmt.Errorf("claims: %w", err)
	}
	var data []string
	for _, fields := range in.Revisions {
		text, _ := fields["data"].(string)
		data = append(data, text)
		delete(fields, "data")
	}
	if out.Revisions, err = objects[appsv1.ControllerRevision](in.Revisions); err != nil {
		return nil, fmt.Errorf("revisions: %w", err)
	}
	for i := range out.Revisions {
		out.Revisions[i].Data.Raw = []byte(data[i])
	}
	return out, nil
}

// tree is an object as JSON values, with the times of its metadata as they are.
func tree(object any, meta *metav1.ObjectMeta) map[string]any {
	var out map[string]any
	if err := json.Unmarshal([]byte(encode(object)), &out); err != nil {
		panic(err) // it is our own encoding
	}
	fields := out["metadata"].(map[string]any)
	if !meta.CreationTimestamp.IsZero() {
		fields["creationTimestamp"] = exact(meta.CreationTimestamp)
	}
	if meta.DeletionTimestamp != nil {
		fields["deletionTimestamp"] = exact(*meta.DeletionTimestamp)
	}
	return out
}

func podTree(pod *corev1.Pod) map[string]any {
	out := tree(pod, &pod.ObjectMeta)
	if at := pod.Status.StartTime; at != nil {
		out["status"].(map[string]any)["startTime"] = exact(*at)
	}
	for i, condition := range pod.Status.Conditions {
		if at := condition.LastTransitionTime; !at.IsZero() {
			out["status"].(map[string]any)["conditions"].([]any)[i].(map[string]any)["lastTransitionTime"] = exact(at)
		}
	}
	return out
}

func exact(at metav1.Time) string { return at.UTC().Format(time.RFC3339Nano) }

func objects[T any](trees []map[string]any) ([]*T, error) {
	var out []*T
	for _, fields := range trees {
		item, err := object[T](fields)
		if err != nil {
			return nil, err
		}
		out = append(out, item)
	}
	return out, nil
}

// object reads a tree strictly. Reading keeps the fractions of a second, which writing would drop.
func object[T any](fields map[string]any) (*T, error) {
	text, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	out := new(T)
	return out, yaml.UnmarshalStrict(text, out)
}
