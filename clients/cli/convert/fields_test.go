package convert

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// translated has a value for a field that becomes an annotation, and no two have the same. Where two fields become one annotation, the second is
// Kruise's.
type translated struct {
	path             string
	value            any
	annotation, text string
	kruise           bool
}

// others are fields whose value is no string, or which are not our own kind's.
var others = []translated{
	{"ordinals.reserved", []any{int64(1), "3-5"}, "setplan.io/reserved-ordinals", "1,3-5", false},
	{"reserveOrdinals", []any{int64(2), "4-6"}, "setplan.io/reserved-ordinals", "2,4-6", true},
	{"updateStrategy.rollingUpdate.paused", true, "setplan.io/pause", "Updates", true},
	{"scaleUpLimit", int64(5), "setplan.io/scale-up-limit", "5", false},
	{"claimUpdateLimit", int64(2), "setplan.io/claim-update-limit", "2", false},
}

// moved returns the annotations of a set that moves, the fields that its spec keeps, and those that are lost.
func moved(t *testing.T, from, to Kind, annotations map[string]string, fields map[string]any) (map[string]string, map[string]any, []lost) {
	t.Helper()
	set := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{}}}
	set.SetGroupVersionKind(from.GroupVersionKind)
	set.SetAnnotations(annotations)
	for path, value := range fields {
		if err := unstructured.SetNestedField(set.Object, value, append([]string{"spec"}, strings.Split(path, ".")...)...); err != nil {
			t.Fatal(err)
		}
	}
	c := &Case{Set: set, From: from, To: to}
	spec, dropped := c.newSpec()
	return c.annotations(), spec, dropped
}

// TestFieldsBecomeAnnotations: a field becomes the annotation that means the same, alone and beside all others, and nothing of it is lost. On the way to
// our own kind an annotation stays what it is.
func TestFieldsBecomeAnnotations(t *testing.T) {
	rows, fields, annotations := slices.Clone(others), map[string]any{}, map[string]string{}
	for field, to := range asAnnotations {
		if !slices.ContainsFunc(rows, func(row translated) bool { return row.path == field }) {
			rows = append(rows, translated{field, "a text of " + field, to.name, "a text of " + field, false})
		}
	}
	for _, row := range rows {
		from, to := Own, BuiltIn
		if row.kruise {
			from, to = Kruise, Own
		} else {
			fields[row.path], annotations[row.annotation] = row.value, row.text
		}
		got, _, dropped := moved(t, from, to, nil, map[string]any{row.path: row.value})
		if diff := cmp.Diff(map[string]string{row.annotation: row.text}, got); diff != "" || len(dropped) > 0 {
			t.Errorf("%s; lost: %v\n%s", row.path, dropped, diff)
		}
	}
	got, spec, dropped := moved(t, Own, BuiltIn, nil, fields)
	if diff := cmp.Diff(annotations, got); diff != "" || len(dropped) > 0 {
		t.Errorf("all fields; lost: %v\n%s", dropped, diff)
	}
	if diff := cmp.Diff(map[string]any{"ordinals": map[string]any{}}, spec); diff != "" {
		t.Errorf("apps/v1 has no such fields:\n%s", diff)
	}
	got, spec, _ = moved(t, BuiltIn, Own, annotations, nil)
	if diff := cmp.Diff(annotations, got); diff != "" || len(spec) > 0 {
		t.Errorf("all annotations become %v\n%s", spec, diff)
	}
}
