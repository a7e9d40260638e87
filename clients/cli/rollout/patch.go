package rollout

import (
	"encoding/json"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// Patch is a change of a set: a JSON patch or a merge patch. The API server takes both for every kind, unlike a strategic merge patch.
type Patch struct {
	Type types.PatchType
	Data []byte
}

// Apply returns the set as the patch leaves it, where no API server does that. Only JSON patches, which Undo makes, can be applied so.
func (p Patch) Apply(set *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	before, err := set.MarshalJSON()
	if err != nil {
		return nil, err
	}
	operations, err := jsonpatch.DecodePatch(p.Data)
	if err != nil {
		return nil, err
	}
	data, err := operations.Apply(before)
	if err != nil {
		return nil, err
	}
	after := &unstructured.Unstructured{}
	return after, after.UnmarshalJSON(data)
}

// restartedAt is the annotation that kubectl sets in a template: a new value makes a new revision.
const restartedAt = "kubectl.kubernetes.io/restartedAt"

// AnnotationPause is the annotation that pauses a set.
const AnnotationPause = "setplan.io/pause"

// Undo replaces the set's template: it merges nothing, and touches no other field. It applies only to this set, and not to a later one of
// the same name.
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

// Restart changes only an annotation of the template. ok is false if the annotation has that value already.
func Restart(set *unstructured.Unstructured, now time.Time) (patch Patch, ok bool, err error) {
	at := now.Format(time.RFC3339)
	if was, _, _ := unstructured.NestedString(set.Object, "spec", "template", "metadata", "annotations", restartedAt); was == at {
		return Patch{}, false, nil
	}
	patch, err = merge(map[string]any{"spec": map[string]any{"template": map[string]any{"metadata": map[string]any{"annotations": map[string]any{restartedAt: at}}}}})
	return patch, true, err
}

// Pauses returns the pause modes of a set's annotation and of its field; empty if not set.
func Pauses(set *unstructured.Unstructured) (annotation, field string) {
	field, _, _ = unstructured.NestedString(set.Object, "spec", "pause")
	return set.GetAnnotations()[AnnotationPause], field
}

// Pause sets the field if it is in use, otherwise the annotation, and removes the other, so that the two cannot disagree. ok is false if
// the set is already paused in that mode.
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

// Resume removes both. ok is false if there is neither.
func Resume(set *unstructured.Unstructured) (patch Patch, ok bool, err error) {
	annotation, field := Pauses(set)
	patch, err = paused(nil, nil)
	return patch, annotation+field != "", err
}

// paused returns the patch that sets the annotation and the field; nil removes.
func paused(annotation, field any) (Patch, error) {
	return merge(map[string]any{"metadata": map[string]any{"annotations": map[string]any{AnnotationPause: annotation}}, "spec": map[string]any{"pause": field}})
}

func merge(change map[string]any) (Patch, error) {
	data, err := json.Marshal(change)
	return Patch{types.MergePatchType, data}, err
}
