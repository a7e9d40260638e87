package docs

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/need"
)

// TestFieldsOfOurOwnKind: the fields of ordinals.md are those of SPEC.md, and mean the annotation beside them to the planner. A test of setplan convert
// reads the same table.
func TestFieldsOfOurOwnKind(t *testing.T) {
	_, table, _ := strings.Cut(page(t, "ordinals.md"), "| annotation | field |")
	table, _, _ = strings.Cut(table, "\n\n")
	var fields []string
	for _, row := range regexp.MustCompile("(?m)^\\| \\[?`(setplan\\.io/[a-z-]+): ([^`]+)`.* \\| `spec\\.([a-zA-Z.]+): ([^`]+)` \\|$").FindAllStringSubmatch(table, -1) {
		var text string
		var value any
		need.NoError(t, yaml.Unmarshal([]byte(row[2]), &text))
		need.NoError(t, yaml.Unmarshal([]byte(row[4]), &value))
		annotation, field := row[1], row[3]
		fields = append(fields, field)
		spec := map[string]any{}
		need.NoError(t, unstructured.SetNestedField(spec, value, strings.Split(field, ".")...))
		if got := disagreement(t, spec, annotation, text); got != "" {
			t.Errorf("%s: the planner says: %s", field, got)
		}
		if got := disagreement(t, spec, annotation, text+"1"); !strings.Contains(got, "spec."+field+" is ") || !strings.Contains(got, annotation+" is ") {
			t.Errorf("%s: of another %s the planner says: %q", field, annotation, got)
		}
	}
	_, listed, _ := strings.Cut(page(t, "../proto/SPEC.md"), "\n`own_fields` may hold ")
	listed, _, _ = strings.Cut(listed, "An empty one")
	var specified []string
	for _, name := range regexp.MustCompile("`([a-zA-Z.]+)`").FindAllStringSubmatch(listed, -1) {
		specified = append(specified, name[1])
	}
	if !slices.Equal(fields, specified) {
		t.Errorf("ordinals.md has %v, and SPEC.md %v", fields, specified)
	}
}

// disagreement is what the planner says of a field and an annotation that differ in meaning.
func disagreement(t *testing.T, spec map[string]any, annotation, text string) string {
	t.Helper()
	own := need.Value(json.Marshal(spec))(t)
	plan := engine.Decide(&model.Snapshot{ObservedAt: time.Unix(0, 0), Rules: model.Setplan(), Capabilities: model.AllCapabilities,
		Coverage: model.Coverage{Pods: true, Claims: true, Revisions: true},
		Set: model.Set{Object: model.Object{APIVersion: "apps.setplan.io/v1beta1", Kind: "StatefulSet", Namespace: "default", Name: "web", UID: "web", Generation: 1,
			Annotations: map[string]string{annotation: text}}, Spec: model.Spec{Selector: model.Selector{MatchLabels: map[string]string{"app": "web"}}, ServiceName: "web"},
			PodTemplate: []byte(`{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"web:1","name":"web"}]}}`),
			OwnFields:   own}})
	for _, b := range plan.Blocks {
		if b.Code == model.BlockInvalidPolicy {
			return b.Message
		}
	}
	return ""
}
