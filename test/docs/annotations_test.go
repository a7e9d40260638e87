package docs

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/engine/policy"
)

// TestAnnotationsOfSets: SPEC.md has every annotation of a set that the planner knows, and the planner those that adapters read.
func TestAnnotationsOfSets(t *testing.T) {
	_, table, _ := strings.Cut(page(t, "../proto/SPEC.md"), "| annotation of the set |")
	table, _, _ = strings.Cut(table, "\nThe planner also reads")
	var written []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(setplan\\.io/[^`]*)`").FindAllStringSubmatch(table, -1) {
		written = append(written, row[1])
	}
	slices.Sort(written)
	if diff := cmp.Diff(policy.Annotations(), written); diff != "" {
		t.Errorf("what the engine knows (-) and SPEC.md has (+):\n%s", diff)
	}
	if !slices.Contains(written, kube.AnnotationTakenOver) {
		t.Errorf("%s holds whatever a plan would delete", kube.AnnotationTakenOver)
	}
}
