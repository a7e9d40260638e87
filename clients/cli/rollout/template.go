package rollout

import (
	"bytes"
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Template returns the pod template that a revision stores. Numbers keep their spelling, and unknown fields are kept.
func Template(revision *appsv1.ControllerRevision) (map[string]any, error) {
	var data struct {
		Spec struct{ Template map[string]any }
	}
	decoder := json.NewDecoder(bytes.NewReader(revision.Data.Raw))
	decoder.UseNumber()
	if err := decoder.Decode(&data); err != nil || data.Spec.Template == nil {
		return nil, fmt.Errorf("unable to parse history %s", revision.Name)
	}
	delete(data.Spec.Template, "$patch") // a directive for the API server
	return data.Spec.Template, nil
}

// Matches reports whether a set already has this template. A null counts as absent, because older API servers stored nulls.
func Matches(set *unstructured.Unstructured, template map[string]any) (bool, error) {
	now, _, err := unstructured.NestedFieldNoCopy(set.Object, "spec", "template")
	if err != nil {
		return false, err
	}
	a, err := plain(now)
	if err != nil {
		return false, err
	}
	b, err := plain(template)
	if err != nil {
		return false, err
	}
	return equality.Semantic.DeepEqual(a, b), nil
}

// plain returns a value as decoded JSON, without nulls.
func plain(value any) (any, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var tree any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&tree); err != nil {
		return nil, err
	}
	return withoutNulls(tree), nil
}

func withoutNulls(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, item := range value {
			if item == nil {
				delete(value, key)
				continue
			}
			value[key] = withoutNulls(item)
		}
	case []any:
		for i, item := range value {
			value[i] = withoutNulls(item)
		}
	}
	return value
}
