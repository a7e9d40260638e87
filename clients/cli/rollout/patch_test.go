package rollout

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"
)

const custom = `
apiVersion: example.com/v1
kind: Database
metadata: {name: db, uid: u1, annotations: {team: data}}
spec:
  shards: 4
  template:
    metadata: {labels: {app: db}, annotations: {new: "1"}}
    spec: {containers: [{name: db, image: "db:2", odd: true}, {name: side, image: side}]}
`

// patched is a set after a patch, as the API server applies it.
func patched(t *testing.T, text string, p Patch) map[string]any {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	switch p.Type {
	case types.JSONPatchType:
		operations, err := jsonpatch.DecodePatch(p.Data)
		if err != nil {
			t.Fatal(err)
		}
		if data, err = operations.Apply(data); err != nil {
			t.Fatal(err)
		}
	case types.MergePatchType:
		if data, err = jsonpatch.MergePatch(data, p.Data); err != nil {
			t.Fatal(err)
		}
	default:
		t.Fatalf("a patch of type %s, which no custom kind takes", p.Type)
	}
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestUndo: the template becomes the revision's, even if the revision lacks fields or has some that no Go type knows, and nothing else
// changes.
func TestUndo(t *testing.T) {
	const stored = `{"spec":{"template":{"$patch":"replace","metadata":{"creationTimestamp":null,"labels":{"app":"db"}},` +
		`"spec":{"containers":[{"image":"db:1","name":"db","odd":12345678901234567890}]}}}}`
	revision := &appsv1.ControllerRevision{Data: runtime.RawExtension{Raw: []byte(stored)}}
	template, err := Template(revision)
	if err != nil {
		t.Fatal(err)
	}
	set := object(t, custom)
	patch, err := Undo(set, template)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(patch.Data), "12345678901234567890") {
		t.Errorf("a number has lost digits: %s", patch.Data)
	}
	want := object(t, custom).Object
	want["spec"].(map[string]any)["template"] = patched(t, `{}`, Patch{types.MergePatchType, []byte(stored)})["spec"].(map[string]any)["template"]
	after := patched(t, custom, patch)
	if applied, err := patch.Apply(set); err != nil || !cmp.Equal(normal(t, after), normal(t, applied.Object)) {
		t.Errorf("applied here: %v, want what an API server makes of it:\n%s", err, cmp.Diff(normal(t, after), normal(t, applied.Object)))
	}
	if _, err := patch.Apply(object(t, strings.Replace(custom, "uid: u1", "uid: u2", 1))); err == nil {
		t.Error("applied to another set")
	}
	wanted := want["spec"].(map[string]any)["template"].(map[string]any)
	delete(wanted, "$patch")
	got := after["spec"].(map[string]any)["template"].(map[string]any)
	delete(got["metadata"].(map[string]any), "creationTimestamp") // a null that the merge above removed
	if diff := cmp.Diff(normal(t, want), normal(t, after)); diff != "" {
		t.Errorf("after undo (-want +got):\n%s", diff)
	}

	for text, want := range map[string]bool{
		custom: false,
		`{spec: {template: {metadata: {labels: {app: db}}, spec: {containers: [{image: "db:1", name: db, odd: 12345678901234567890}]}}}}`: true,
	} {
		var set map[string]any
		if err := yaml.Unmarshal([]byte(text), &set); err != nil {
			t.Fatal(err)
		}
		data, _ := yaml.YAMLToJSON([]byte(text))
		exact := object(t, text)
		if template, err := Template(&appsv1.ControllerRevision{Data: runtime.RawExtension{Raw: data}}); err == nil {
			exact.Object["spec"].(map[string]any)["template"] = template
		}
		if same, err := Matches(exact, template); err != nil || same != want {
			t.Errorf("%s matches: %v, %v", text, same, err)
		}
	}
	if _, err := Template(&appsv1.ControllerRevision{Data: runtime.RawExtension{Raw: []byte(`{"spec":{}}`)}}); err == nil {
		t.Error("a revision without a template has one")
	}
}

func normal(t *testing.T, tree any) any {
	t.Helper()
	data, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// TestMarks: restart, pause and resume change one annotation, and report when nothing would change.
func TestMarks(t *testing.T) {
	at := time.Date(2026, 11, 21, 6, 40, 43, 0, time.UTC)
	steps := []struct {
		name  string
		patch func(text string) (Patch, bool, error)
		want  string // the annotation, as path and value
	}{
		{"restart", func(s string) (Patch, bool, error) { return Restart(object(t, s), at) }, `"kubectl.kubernetes.io/restartedAt":"2026-11-21T06:40:43Z"`},
		{"pause", func(s string) (Patch, bool, error) { return Pause(object(t, s), "Updates") }, `"setplan.io/pause":"Updates"`},
		{"another mode", func(s string) (Patch, bool, error) { return Pause(object(t, s), "All") }, `"setplan.io/pause":"All"`},
		{"resume", func(s string) (Patch, bool, error) { return Resume(object(t, s)) }, ""},
	}
	now := custom
	for _, step := range steps {
		p, needed, err := step.patch(now)
		if err != nil || !needed {
			t.Fatalf("%s: %v, %v", step.name, needed, err)
		}
		data, err := json.Marshal(patched(t, now, p))
		if err != nil {
			t.Fatal(err)
		}
		now = string(data)
		if !strings.Contains(now, step.want) || !strings.Contains(now, `"shards":4`) || !strings.Contains(now, `"new":"1"`) || !strings.Contains(now, `"team":"data"`) {
			t.Errorf("%s: %s", step.name, now)
		}
		if _, again, err := step.patch(now); again || err != nil {
			t.Errorf("%s once more: %v, %v", step.name, again, err)
		}
	}
	if strings.Contains(now, AnnotationPause) {
		t.Errorf("it is still paused: %s", now)
	}
}

// TestPauseField: in a kind with the field, the field and the annotation never disagree.
func TestPauseField(t *testing.T) {
	for text, rows := range map[string]struct{ pause, resume string }{
		`{}`:                    {" Updates", ""},
		`{spec: {pause: All}}`:  {"Updates ", ""},
		`{spec: {pause: null}}`: {" Updates", ""},
		`{metadata: {annotations: {setplan.io/pause: All}}}`:                             {" Updates", ""},
		`{spec: {pause: Updates}}`:                                                       {"none", ""},
		`{spec: {pause: Updates}, metadata: {annotations: {setplan.io/pause: Updates}}}`: {"Updates ", ""},
	} {
		after := func(p Patch, needed bool, err error) string {
			if err != nil || !needed {
				return "none"
			}
			annotation, field := Pauses(&unstructured.Unstructured{Object: patched(t, text, p)})
			return field + " " + annotation
		}
		if got := after(Pause(object(t, text), "Updates")); got != rows.pause {
			t.Errorf("%s paused: %q, want %q", text, got, rows.pause)
		}
		if _, field := Pauses(object(t, text)); text != `{}` && (field != "" || strings.Contains(text, "setplan.io")) {
			if got := strings.TrimSpace(after(Resume(object(t, text)))); got != rows.resume {
				t.Errorf("%s resumed: %q", text, got)
			}
		}
	}
}
