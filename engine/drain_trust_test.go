package engine

import (
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// TestForgedDrainPod checks what docs/drain.md says about pods that others annotate as drain pods: such a pod under a replica's name is
// believed, but only about the claims of its own ordinal that the policy covers.
func TestForgedDrainPod(t *testing.T) {
	// forged replaces a replica of the range, just deleted, by another user's pod.
	forged := func(w *world) *model.Pod {
		w.without("web-1")
		pod := w.drainPod(1, model.PodSucceeded)
		pod.Owners = nil
		markAttempted(w.c("www-web-1"), 0) // no drain has begun
		return pod
	}
	for reason, row := range map[string]struct {
		change        func(*world)
		actions, held string
	}{
		"in the range it frees the claims that it names": {func(w *world) { forged(w) }, "delete-claim www-web-1, delete-pod web-1", ""},
		"it does not free the claims of another ordinal": {func(w *world) { markDrains(forged(w), w.c("www-web-0").UID) },
			"delete-pod web-1", ""},
		"it does not free a claim without the mark": {func(w *world) { forged(w); noteClaim(w.c("www-web-1"), state.AnnotationDrainSet, "b/other") }, "delete-pod web-1", "DRAIN_LEFTOVER www-web-1"},
		"it frees nothing before it has succeeded":  {func(w *world) { forged(w).Phase = model.PodRunning }, "", "DRAINING web-1"},
		"it frees nothing if another controller owns it": {func(w *world) {
			forged(w).Owners = []model.Owner{{APIVersion: "batch/v1", Kind: "Job", Name: "j", UID: "j", Controller: true}}
		}, "", "POD_NAME_TAKEN web-1"},
		"it frees nothing for another set": {func(w *world) { notePod(forged(w), state.AnnotationDrainSet, "web/earlier") }, "", "POD_NAME_TAKEN web-1"},
		"it frees nothing without a policy": {func(w *world) { forged(w); w.Set.Annotations = nil },
			"delete-pod web-1, patch-annotations www-web-0, patch-annotations www-web-1", ""},
	} {
		w := draining(2)
		row.change(w)
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
		checkPlan(t, &w.Snapshot, p)
	}
}
