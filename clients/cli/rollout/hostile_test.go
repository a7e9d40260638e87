package rollout

import (
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const poison = "x\nFORGED\x1b[2J"

// TestHostileTexts: no text of a set or a revision starts a line of its own.
func TestHostileTexts(t *testing.T) {
	set := &unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"generation": int64(1)},
		"spec":     map[string]any{"replicas": int64(1), "updateStrategy": map[string]any{"type": "RollingUpdate"}},
		"status":   map[string]any{"observedGeneration": int64(1), "readyReplicas": int64(1), "updateRevision": poison, "currentRevision": "a"},
	}}
	waits, _, err := Status(set)
	if err != nil {
		t.Fatal(err)
	}
	set.Object["status"].(map[string]any)["currentRevision"] = poison
	done, _, err := Status(set)
	if err != nil {
		t.Fatal(err)
	}
	template, err := Describe(map[string]any{poison: []any{poison}})
	if err != nil {
		t.Fatal(err)
	}
	table := Table([]*appsv1.ControllerRevision{{Revision: 1, ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{ChangeCause: poison}}}})
	for _, text := range []string{waits, done, template, table} {
		if !strings.Contains(text, "FORGED") {
			t.Errorf("the poison is missing: %q", text)
		}
		for line := range strings.SplitSeq(text, "\n") {
			if strings.HasPrefix(line, "FORGED") {
				t.Errorf("a forged line in %q", text)
			}
		}
	}
}
