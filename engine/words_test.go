package engine

import (
	"strconv"
	"testing"
)

// TestUnknownNumbers: a number without a name here, perhaps a later release's, still has a word.
func TestUnknownNumbers(t *testing.T) {
	for _, row := range []struct{ got, want string }{
		{phaseWord(PodUnknown + 1), "in an unknown phase"}, {phaseWord(-1), "in an unknown phase"},
		{BlockCode(len(blockNames)).String(), strconv.Itoa(len(blockNames))}, {CauseCode(len(causeNames)).String(), strconv.Itoa(len(causeNames))},
		{Phase(-1).String(), "-1"}, {OnFailure(9).String(), "9"}, {Severity(7).String(), "7"},
	} {
		if row.got != row.want {
			t.Errorf("%s, want %s", row.got, row.want)
		}
	}
	w := newWorld(1)
	w.Pods[0].Phase, w.Pods[0].Ready = PodUnknown+1, false
	if p := Decide(&w.Snapshot); p.Converged || len(p.Blocks) != 1 {
		t.Errorf("a pod of a later phase:\n%s", Describe(p))
	}
}
