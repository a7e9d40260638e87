package vectors

import (
	"bytes"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/test/need"
)

// TestLaterClients: what a planner does not know of a later client's request changes nothing of the plan.
func TestLaterClients(t *testing.T) {
	base := need.Value(scene("down"))(t)
	planners := newPlanners()
	defer planners.close()
	now := need.Value(planners.answer(t.Context(), base))(t)
	plans := 0
	for _, v := range every(t) {
		if !strings.HasPrefix(v.Name, "later/") {
			continue
		}
		plans++
		want, failed := now.WantedPlan()
		got, err := v.WantedPlan()
		if failed != nil || err != nil {
			t.Fatal(failed, err)
		}
		if !proto.Equal(want, got) {
			t.Errorf("%s: the plan is\n%v\nwant\n%v", v.Name, got, want)
		}
		if today, err := now.Bytes(); err != nil || bytes.Equal(today, v.RequestBytes) || len(v.RequestBytes) <= len(today) {
			t.Errorf("%s: it has nothing of a later release (%v)", v.Name, err)
		}
	}
	if plans == 0 {
		t.Error("no vector is of a later release")
	}
}
