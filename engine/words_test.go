package engine

import (
	"strconv"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

// TestUnknownNumbers: a number without a name here, perhaps a later release's, still has a word.
func TestUnknownNumbers(t *testing.T) {
	for _, row := range []struct{ got, want string }{
		{prose.PhaseWord(model.PodUnknown + 1), "in an unknown phase"}, {prose.PhaseWord(-1), "in an unknown phase"},
		{model.BlockCode(len(model.BlockNames)).String(), strconv.Itoa(len(model.BlockNames))}, {model.CauseCode(99).String(), "99"},
		{model.Phase(-1).String(), "-1"}, {model.OnFailure(9).String(), "9"}, {model.Severity(7).String(), "7"},
	} {
		if row.got != row.want {
			t.Errorf("%s, want %s", row.got, row.want)
		}
	}
	w := newWorld(1)
	w.Pods[0].Phase, w.Pods[0].Ready = model.PodUnknown+1, false
	if p := Decide(&w.Snapshot); p.Converged || len(p.Blocks) != 1 {
		t.Errorf("a pod of a later phase:\n%s", Describe(p))
	}
}
