package live

import (
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/clients/cli/show"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestUndone: a plan that stays the same is not being carried out, unless it only writes the status.
func TestUndone(t *testing.T) {
	plan := func(name string) *setplanv1.Plan {
		status := &setplanv1.Action{Operation: &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{}}, Target: &setplanv1.Target{Name: "web"}}
		actions := []*setplanv1.Action{status}
		if name != "" {
			actions = append(actions, &setplanv1.Action{Operation: &setplanv1.Action_DeletePod{}, Target: &setplanv1.Target{Name: name}})
		}
		return &setplanv1.Plan{Stages: []*setplanv1.Stage{{Steps: []*setplanv1.Step{{Actions: actions}}}}}
	}
	var undone Undone
	for _, step := range []struct {
		second int
		pod    string
		want   time.Duration
	}{
		{0, "", 0}, {60, "", 0}, // only the status
		{61, "web-2", 0}, {70, "web-2", 0}, {71, "web-2", 10 * time.Second}, {158, "web-2", 97 * time.Second},
		{159, "web-1", 0}, {160, "", 0}, {161, "web-1", 0}, {175, "web-1", 14 * time.Second},
	} {
		if got := undone.Saw(plan(step.pod), now.Add(time.Duration(step.second)*time.Second)); got != step.want {
			t.Errorf("after %d s, %q: %v, want %v", step.second, step.pod, got, step.want)
		}
	}
	v := NewView(rollout())
	v.Undone = 97 * time.Second
	var pace Pace
	if text := v.Text(show.Style{}, &pace, now, 0); !strings.Contains(text, "\nthe plan has not been carried out for 1m37s; run setplan why\n") {
		t.Errorf("the picture is\n%s", text)
	}
}
