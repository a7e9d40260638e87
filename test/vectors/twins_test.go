package vectors

import (
	"testing"

	files "github.com/setplan/setplan/proto/vectors"
	"github.com/setplan/setplan/test/need"
)

// TestTwins: vectors that say of each other that they mean the same template have a revision of one name.
func TestTwins(t *testing.T) {
	all := map[string]*files.Vector{}
	for _, v := range every(t) {
		all[v.Name] = v
	}
	for one, other := range map[string]string{
		"json/template-escapes":   "json/template-no-escapes",
		"json/template-key-order": "json/template-key-order-sorted",
	} {
		if first, second := revisionOf(t, all[one]), revisionOf(t, all[other]); first == "" || first != second {
			t.Errorf("%s creates revision %q, and %s %q", one, first, other, second)
		}
	}
	if revisionOf(t, all["json/template-escapes"]) == revisionOf(t, all["json/template-key-order"]) {
		t.Error("templates that differ have revisions of one name")
	}
}

// revisionOf is the name of the revision that the vector's plan creates.
func revisionOf(t *testing.T, v *files.Vector) string {
	t.Helper()
	if v == nil {
		t.Fatal("there is no such vector")
	}
	plan := need.Value(v.WantedPlan())(t)
	for _, stage := range plan.GetStages() {
		for _, step := range stage.GetSteps() {
			for _, action := range step.GetActions() {
				if action.GetCreateRevision() != nil {
					return action.GetTarget().GetName()
				}
			}
		}
	}
	return ""
}
