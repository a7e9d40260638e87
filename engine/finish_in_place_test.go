package engine

import (
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// TestRefusedResizeStarvesNobody: an API server may refuse a resize for days. What other pods are to get does not wait for that, and the resize does not
// wait for them.
func TestRefusedResizeStarvesNobody(t *testing.T) {
	for reason, row := range map[string]struct {
		edit        func(w *world)
		want, again string
	}{
		"others start":     {func(w *world) {}, "resize web-2@1, start web-1@1, start web-0@1", "start web-1@1, start web-0@1, resize web-2@1"},
		"one is recreated": {func(w *world) { w.chosen("web-0") }, "resize web-2@1, start web-1@1, delete-pod web-0", "start web-1@1, delete-pod web-0, resize web-2@1"},
		"one arrives":      {func(w *world) { w.onTheWay(named(sized("2")), "web-1").ask("2", "web-1").get("web-1") }, "finish web-1@1, resize web-2@1, start web-0@1", "finish web-1@1, start web-0@1, resize web-2@1"},
	} {
		w := resized(3, sized("1"), sized("2")).have("1", "web-0", "web-1", "web-2").onTheWay(named(sized("2")), "web-2")
		row.edit(w)
		plan := Decide(&w.settled().Snapshot)
		check(t, reason, "writes", writes(plan), row.want)
		for _, a := range allActions(plan) {
			if _, resizes := a.Op.(model.ResizePod); resizes {
				w.Outcomes = []model.Outcome{{ActionID: a.ID, Result: model.OutcomeRejected, Count: 1, Message: "exceeded quota"}}
			}
		}
		again := Decide(&w.Snapshot)
		check(t, reason, "writes after it was refused", writes(again), row.again)
		last := again.Stages[len(again.Stages)-1]
		if last.Phase == model.PhaseStatus {
			last = again.Stages[len(again.Stages)-2]
		}
		if last.Phase != model.PhaseUpdate || !last.AlwaysRun || len(last.Steps) != 1 {
			t.Errorf("%s: the last stage is not the resize alone, whatever fails before:\n%s", reason, Describe(again))
		}
	}
}
