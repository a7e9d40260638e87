package engine

import (
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
)

// TestPauseExplainsWhatStays: under HealOnly pods outside the range stay, a block says why where one of them is terminating or unready (found by the
// explorer), and the set is not done.
func TestPauseExplainsWhatStays(t *testing.T) {
	for reason, row := range map[string]struct {
		change func(*model.Pod)
		block  string
	}{
		"somebody deletes it":    {func(p *model.Pod) { p.DeletedAt = noon }, "POD_TERMINATING web-1"},
		"it is not ready":        {func(p *model.Pod) { p.Ready = false }, "POD_NOT_READY web-1"},
		"it exists and is ready": {func(*model.Pod) {}, ""},
	} {
		for _, order := range []string{"OrderedReady", "Parallel"} {
			w := newWorld(2)
			w.Set.Replicas, w.Set.PodManagementPolicy = 1, order
			w.Set.Annotations = map[string]string{policy.Pause: "HealOnly"}
			row.change(w.p("web-1"))
			p := Decide(&w.settled().Snapshot)
			want := "PAUSED web"
			if row.block != "" {
				want = "PAUSED web, " + row.block
			}
			check(t, reason+", "+order, "actions", actions(p), "")
			if got := blocks(p); got != want && got != row.block+", PAUSED web" {
				t.Errorf("%s, %s: blocks %q, want %q", reason, order, got, want)
			}
			if p.Done || p.Converged {
				t.Errorf("%s, %s: done is %t, converged is %t", reason, order, p.Done, p.Converged)
			}
		}
	}
}

// TestPausedDrainOfADeletedSet: HealOnly heals nothing of a set that is drained because it is deleted, so the set is not converged, whatever
// state its pods are in (found by lives under faults).
func TestPausedDrainOfADeletedSet(t *testing.T) {
	for _, mode := range []string{"HealOnly", "All"} {
		w := draining(3).emptiedOnDelete().going(model.FinalizerDrain).asks(policy.Pause, mode)
		w.p("web-1").Phase, w.p("web-1").Ready = model.PodFailed, false
		p := Decide(&w.settled().Snapshot)
		check(t, mode, "actions", actions(p), "")
		check(t, mode, "blocks", blocks(p), "PAUSED web")
		if got, want := p.Blocks[0].Message, "Pods and claims are left as they are; only the status is updated. Outside the range: 3 pods."; got != want {
			t.Errorf("%s: %s", mode, got)
		}
		if p.Converged {
			t.Errorf("%s: converged", mode)
		}
	}
}
