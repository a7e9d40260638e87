package docs

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/test/need"
)

// TestFieldsOfOurOwnKind: a field has the name that SPEC.md and ordinals.md say, and means to the planner what its annotation does.
func TestFieldsOfOurOwnKind(t *testing.T) {
	none := []string{policy.Repair, policy.ClaimTemplates, kube.AnnotationTakenOver}
	for _, s := range policy.All {
		name := strings.TrimPrefix(s.Annotation, policy.Prefix)
		path := []string{regexp.MustCompile("-.").ReplaceAllStringFunc(name, func(p string) string { return strings.ToUpper(p[1:]) })}
		if slices.Contains(none, s.Annotation) || strings.HasPrefix(name, "drain-") {
			path = nil
		} else if s.Annotation == policy.Reserved {
			path = []string{"ordinals", "reserved"}
		}
		if want := strings.Join(append([]string{"spec"}, path...), "."); path != nil && s.Field != want || path == nil && s.Field != "" {
			t.Errorf("the field of %s is %q, want %q", s.Annotation, s.Field, want)
		}
		if path == nil {
			continue
		}
		text, value := "10m", any("10m")
		switch {
		case s.Values != nil:
			text, value = s.Values[0], s.Values[0]
		case s.Form == policy.List:
			text, value = "1,3-5", []any{int64(1), "3-5"}
		case s.Form != policy.Text:
			text, value = "5", int64(5)
		}
		spec := map[string]any{}
		need.NoError(t, unstructured.SetNestedField(spec, value, path...))
		if got := disagreement(t, spec, s.Annotation, text); got != "" {
			t.Errorf("%s: the planner says: %s", s.Field, got)
		}
		if got := disagreement(t, spec, s.Annotation, text+"1"); !strings.Contains(got, s.Field+" is ") || !strings.Contains(got, s.Annotation+" is ") {
			t.Errorf("%s: of another %s the planner says: %q", s.Field, s.Annotation, got)
		}
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
