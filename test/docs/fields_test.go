package docs

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/test/need"
)

var rewrite = flag.Bool("rewrite", false, "write the table of fields in SPEC.md anew")

// TestTableOfFields: SPEC.md has the settings that are fields of our own kind as the engine has them.
func TestTableOfFields(t *testing.T) {
	const head = "| annotation of the set | field of `own_fields` | texts |\n|---|---|---|\n"
	before, rest, _ := strings.Cut(page(t, "../proto/SPEC.md"), head)
	written, after, _ := strings.Cut(rest, "\n\n")
	var rows []string
	for _, s := range policy.All {
		if s.Field == "" {
			continue
		}
		texts := map[policy.Form]string{policy.Count: "A number of at least 1. ", policy.CountOrPercent: "A number of at least 1, or a percentage of at least `1%`. ",
			policy.List: "Ordinals and ranges, such as `1,3-5` or `[1,\"3-5\"]`. "}[s.Form]
		if s.Values != nil {
			texts = "`" + strings.Join(s.Values, "`, `") + "`. "
		}
		rows = append(rows, fmt.Sprintf("| `%s` | `%s` | %s%s |", s.Annotation, strings.TrimPrefix(s.Field, policy.FieldPrefix), texts, s.Help))
	}
	table := strings.Join(rows, "\n")
	if *rewrite {
		need.NoError(t, os.WriteFile("../../proto/SPEC.md", []byte(before+head+table+"\n\n"+after), 0o644))
	} else if written != table {
		t.Errorf("run \"make rewrite WHAT=settings\":\n%s", cmp.Diff(table, written))
	}
}

// TestFieldsOfOurOwnKind: a field has the name that ordinals.md says, and means to the planner what its annotation does.
func TestFieldsOfOurOwnKind(t *testing.T) {
	for _, s := range policy.All {
		if s.Field == "" {
			continue
		}
		camel := regexp.MustCompile("-.").ReplaceAllStringFunc(strings.TrimPrefix(s.Annotation, policy.Prefix), func(p string) string { return strings.ToUpper(p[1:]) })
		if s.Field != policy.FieldPrefix+camel && s.Field != policy.FieldReserved {
			t.Errorf("the field of %s is %q", s.Annotation, s.Field)
		}
		path := strings.Split(strings.TrimPrefix(s.Field, policy.FieldPrefix), ".")
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
