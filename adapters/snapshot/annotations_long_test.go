package snapshot

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestLongAnnotations: what somebody has written on pods does not make the request for their set too large.
func TestLongAnnotations(t *testing.T) {
	for name, test := range map[string]struct{ text, want int }{
		"drain-set": {1 << 10, 1 << 10}, "drain-answer": {1<<10 + 1, 1 << 10}, "of-a-later-release": {200 << 10, 1 << 10},
		"drain-claims": {64 << 10, 64 << 10}, "in-place-update": {200 << 10, 64 << 10},
	} {
		if got := ownAnnotations(map[string]string{"setplan.io/" + name: strings.Repeat("x", test.text)}); len(got["setplan.io/"+name]) != test.want {
			t.Errorf("%s of %d bytes is carried with %d, want %d", name, test.text, len(got["setplan.io/"+name]), test.want)
		}
	}
	if got := ownAnnotations(map[string]string{"setplan.io/drain-set": "x" + strings.Repeat("ü", 1<<10)}); len(got["setplan.io/drain-set"]) != 1<<10-1 {
		t.Errorf("a text is cut to %d bytes, and half a letter", len(got["setplan.io/drain-set"]))
	}
	many := map[string]string{}
	for i := range 1000 {
		many[fmt.Sprintf("setplan.io/%03d", i)] = "x"
	}
	if got := ownAnnotations(many); len(got) != 32 || got["setplan.io/031"] == "" {
		t.Errorf("%d annotations are carried of %d", len(got), len(many))
	}

	tables, bytes := NewTables(), 0
	for i := range 2000 {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{"setplan.io/drain-set": "web/u",
			"setplan.io/drain-answer": fmt.Sprint(i, strings.Repeat("x", 1<<10)), "setplan.io/in-place-update": fmt.Sprint(i, strings.Repeat("x", 64<<10))}}}
		tables.Pod(Pod(pod))
	}
	for _, set := range tables.Message().GetAnnotationSets() {
		for name, text := range set.GetAnnotations() {
			bytes += len(name) + len(text)
		}
	}
	last := tables.Message().GetAnnotationSets()[2000].GetAnnotations()
	if bytes > 25<<20 || last["setplan.io/drain-set"] != "web/u" || len(last["setplan.io/drain-answer"]) != 64 {
		t.Errorf("2000 pods have %d bytes of annotations, the last %.200q", bytes, last)
	}
}
