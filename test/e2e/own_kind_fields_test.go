//go:build e2e

package e2e

import (
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	settings "github.com/setplan/setplan/engine/policy"
)

// policyFields are the fields of our own kind that mean what annotations mean, but for the reserved ordinals: those are a list.
var policyFields = func() map[string]string {
	fields := map[string]string{}
	for _, s := range settings.All {
		if name, has := strings.CutPrefix(s.Field, settings.FieldPrefix); has && s.Form != settings.List {
			fields[s.Annotation] = name
		}
	}
	return fields
}()

// byFields is a set of our own kind with fields in the place of its annotations, so that the tests of these show what fields do. Sets of apps/v1 stay as
// they are.
func byFields(set *unstructured.Unstructured) *unstructured.Unstructured {
	if set.GetAPIVersion() != ownKind {
		return set
	}
	out, annotations := set.DeepCopy(), set.GetAnnotations()
	for name, field := range policyFields {
		text, there := annotations[name]
		if !there {
			continue
		}
		delete(annotations, name)
		var value any = text
		if number, err := strconv.ParseInt(text, 10, 32); err == nil {
			value = number
		}
		_ = unstructured.SetNestedField(out.Object, value, "spec", field) // every set has a spec
	}
	out.SetAnnotations(annotations)
	return out
}

// byAnnotations is the reverse, for what reads sets of every kind as those of apps/v1.
func byAnnotations(object *unstructured.Unstructured) *unstructured.Unstructured {
	if object.GetAPIVersion() != ownKind {
		return object
	}
	out, annotations := object.DeepCopy(), object.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	for name, field := range policyFields {
		if value, there, _ := unstructured.NestedFieldNoCopy(object.Object, "spec", field); there {
			annotations[name] = fmt.Sprint(value)
		}
	}
	out.SetAnnotations(annotations)
	return out
}
