package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"sigs.k8s.io/yaml"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// poison moves the cursor, sets a title, rings, forges a line, reverses the writing direction and ends in a control sequence.
const poison = "\x1b[2J\x1b]0;owned\x07\r\nFORGED everything is fine\u202e\u2028\u009b1A"

// kept are the fields that decide whether a text is read at all, or that an API server checks, such as names and quantities.
var kept = map[string]bool{"apiVersion": true, "kind": true, "name": true, "namespace": true, "uid": true, "resourceVersion": true,
	"phase": true, "status": true, "type": true, "podManagementPolicy": true, "whenScaled": true, "whenDeleted": true,
	"storage": true, "cpu": true, "memory": true, "pods": true, "claimName": true, "currentRevision": true, "updateRevision": true,
	"controller-revision-hash": true, "app": true, "statefulset.kubernetes.io/pod-name": true, "apps.kubernetes.io/pod-index": true}

// poisoned appends the poison to every text of an object, except kept ones.
func poisoned(key string, value any) any {
	switch value := value.(type) {
	case map[string]any:
		if value["name"] == "calm" && value["generation"] != nil { // so that the planner quotes an invalid policy
			value["annotations"] = map[string]any{"setplan.io/repair": ""}
		}
		for k, v := range value {
			value[k] = poisoned(k, v)
		}
	case []any:
		for i, v := range value {
			value[i] = poisoned(key, v)
		}
	case string:
		if _, noTime := time.Parse(time.RFC3339, value); !kept[key] && noTime != nil {
			return value + poison
		}
	}
	return value
}

func poisonedFile(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(stuck)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "poisoned.json")
	var all []byte
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var value any
		if err := yaml.Unmarshal([]byte(document), &value); err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(poisoned("", value))
		if err != nil {
			t.Fatal(err)
		}
		all = append(append(all, data...), '\n')
	}
	if err := os.WriteFile(path, all, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// harmless fails if a text could control a terminal, or contains a forged line.
func harmless(t *testing.T, what, text string) {
	t.Helper()
	if !strings.Contains(text, "FORGED") {
		t.Errorf("%s: the poison is missing, so the test shows nothing:\n%s", what, text)
	}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "FORGED") {
			t.Errorf("%s: a forged line: %q", what, line)
		}
		if at := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }); at >= 0 {
			t.Errorf("%s: %q in %q", what, line[at:][:1], line)
			return
		}
	}
}

// TestHostileObjects: no text of an object reaches a terminal in a form that controls it; programs get it exactly.
func TestHostileObjects(t *testing.T) {
	file := poisonedFile(t)
	for _, line := range []string{"why", "why -o wide", "plan", "plan -o wide"} {
		r := runWith("", strings.Fields(line+" -f "+file+" --at "+at)...)
		if r.err != nil {
			t.Fatalf("%s: %v", line, r.err)
		}
		harmless(t, line, r.out)
	}
	r := runWith("", strings.Fields("why -o json -f "+file+" --at "+at)...)
	var exact []struct{ Reasons []struct{ Evidence []string } }
	if err := json.Unmarshal([]byte(r.out), &exact); err != nil || !strings.Contains(r.out, `\r\nFORGED`) {
		t.Errorf("JSON is not exact: %v", err)
	}
}

// TestHostileRecording: the same for a recording, whose every field may be forged.
func TestHostileRecording(t *testing.T) {
	r := runWith("", "replay", "-f", recordedAs(t, "default/web"+poison, "v1"+poison, func(plan *setplanv1.Plan) {
		pod(plan).Cause.Message += poison
	}))
	if r.err == nil || !strings.Contains(r.out, "DIFFERS") {
		t.Fatalf("%v: %s", r.err, r.out)
	}
	harmless(t, "replay", r.out)
}

// TestHostileNames: names of objects in a file become parts of commands, so names that no API server accepts are refused.
func TestHostileNames(t *testing.T) {
	for name, ok := range map[string]bool{"web": true, "system:node.a_b": true, "web; touch x": false, "../web": false, "a\nb": false, "": false, "$(x)": false, ".": false} {
		object, err := json.Marshal(map[string]any{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": map[string]any{"name": name, "namespace": "default", "uid": "u"}})
		if err != nil {
			t.Fatal(err)
		}
		r := runWith(string(object), "plan", "-f", "-")
		if refused := r.err != nil && (strings.Contains(r.err.Error(), "is not a valid") || strings.Contains(r.err.Error(), "metadata.name: required")); refused == ok {
			t.Errorf("%q: %v", name, r.err)
		}
	}
}
