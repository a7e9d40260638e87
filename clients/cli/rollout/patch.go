package rollout

import (
	"encoding/json"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// Patch is a change of a set. Both types work for kinds with and without a Go type, unlike kubectl's strategic merge.
type Patch struct {
	Type types.PatchType
	Data []byte
}

// restartedAt is kubectl's annotation of a template: a new value is a new revision.
const restartedAt = "kubectl.kubernetes.io/restartedAt"

// AnnotationPause is the annotation of a set that holds its rollout, or more, back.
const AnnotationPause = "setplan.io/pause"

// Undo puts a template in the place of the set's: nothing of what was there is merged with it, and no other field is touched. The
// set must still be the one that was looked at.
func Undo(set *unstructured.Unstructured, template map[string]any) (Patch, error) {
	type operation struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value"`
	}
	data, err := json.Marshal([]operation{
		{"test", "/metadata/uid", set.GetUID()},
		{"replace", "/spec/template", template},
	})
	return Patch{types.JSONPatchType, data}, err
}

// Restart changes nothing but an annotation of the template. ok is false where it has that value already.
func Restart(set *unstructured.Unstructured, now time.Time) (patch Patch, ok bool, err error) {
	at := now.Format(time.RFC3339)
	if was, _, _ := unstructured.NestedString(set.Object, "spec", "template", "metadata", "annotations", restartedAt); was == at {
		return Patch{}, false, nil
	}
	patch, err = merge(map[string]any{"spec": map[string]any{"template": map[string]any{"metadata": map[string]any{"annotations": map[string]any{restartedAt: at}}}}})
	return patch, true, err
}

// Pauses are the modes that a set is paused in: that of the annotation, and that of the field of kinds that have one.
func Pauses(set *unstructured.Unstructured) (annotation, field string) {
	field, _, _ = unstructured.NestedString(set.Object, "spec", "pause")
	return set.GetAnnotations()[AnnotationPause], field
}

// Pause sets the field where it is in use, and the annotation elsewhere, so that the two cannot disagree. ok is false where the set
// is paused like that already.
func Pause(set *unstructured.Unstructured, mode string) (patch Patch, ok bool, err error) {
	annotation, field := Pauses(set)
	switch {
	case field == "":
		patch, err = paused(mode, nil)
	default:
		patch, err = paused(nil, mode)
	}
	return patch, annotation+field != mode, err
}

// Resume removes both. ok is false where there is neither.
func Resume(set *unstructured.Unstructured) (patch Patch, ok bool, err error) {
	annotation, field := Pauses(set)
	patch, err = paused(nil, nil)
	return patch, annotation+field != "", err
}

// paused writes the annotation and, of a kind that has it, the field; nil removes.
func paused(annotation, field any) (Patch, error) {
	return merge(map[string]any{"metadata": map[string]any{"annotations": map[string]any{AnnotationPause: annotation}}, "spec": map[string]any{"pause": field}})
}

func merge(change map[string]any) (Patch, error) {
	data, err := json.Marshal(change)
	return Patch{types.MergePatchType, data}, err
}
