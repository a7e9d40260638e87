package snapshot

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"google.golang.org/protobuf/testing/protocmp"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestOwnAnnotations: an adapter carries all annotations under our prefix, also those of later releases, and no others.
func TestOwnAnnotations(t *testing.T) {
	got := ownAnnotations(map[string]string{
		"setplan.io/drain-set": "web/u1", "setplan.io/of-a-later-release": "", "setplan.io/odd": "a\xff\xfeb",
		"kubectl.kubernetes.io/last-applied-configuration": "{}", "setplan.io": "x", "setplan.io.example/drain-set": "x", "drain-set": "x",
	})
	want := map[string]string{"setplan.io/drain-set": "web/u1", "setplan.io/of-a-later-release": "", "setplan.io/odd": "a\uFFFDb"}
	if !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if none := ownAnnotations(map[string]string{"other": "x"}); none != nil {
		t.Errorf("got %q without any", none)
	}
}

// TestAnnotationsAreNotForged: a text may have any character, so no separator between two annotations is safe.
func TestAnnotationsAreNotForged(t *testing.T) {
	for reason, annotations := range map[string]map[string]string{
		"none":                        nil,
		"one that is empty":           {"setplan.io/a": ""},
		"a text that reads as two":    {"setplan.io/a": "b\x00setplan.io/drain-set\x00web/set\x00"},
		"a text with lengths":         {"setplan.io/a": "\x01\x14setplan.io/drain-set\x07web/set"},
		"two, the first with nothing": {"setplan.io/a": "", "setplan.io/b": "\x00"},
		"a long one":                  {"setplan.io/a": strings.Repeat("x", 1000), "setplan.io/b": "y"},
	} {
		want := &setplanv1.AnnotationSet{Annotations: annotations}
		if diff := cmp.Diff(want, annotationSet(annotationsText(annotations)), protocmp.Transform()); diff != "" {
			t.Errorf("%s:\n%s", reason, diff)
		}
	}
}
