package plan

import (
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// TestActionID: outcomes name actions by their ids, and adapters keep them over an update of the planner. So an id never changes.
func TestActionID(t *testing.T) {
	for want, facts := range map[string][]string{
		"delete-pod/web-1/22m7lc30mx1ye": nil, "delete-pod/web-1/2vt6g9xerfudu": {""}, "delete-pod/web-1/22rd6eqiap4j1": {"web-5d4c"}, "delete-pod/web-1/1b7yjjwx407np": {"a", "b"}, "delete-pod/web-1/3n6gvduxxivj5": {"\xff\x00", "é"},
	} {
		if got := actionID(&model.Action{Name: "web-1", UID: "u-1", Op: model.DeletePod{}}, facts); got != want {
			t.Errorf("%q: %s, want %s", facts, got, want)
		}
	}
}
