package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// TestUnknownAnnotation: a block names an unknown annotation, and nothing is deleted for good, because the annotation may forbid that. The
// rest goes on.
func TestUnknownAnnotation(t *testing.T) {
	for reason, row := range map[string]struct {
		world         *world
		change        func(*world)
		actions, held string // in addition to the block about the annotation
	}{
		"a steady set": {newWorld(3), nil, "", ""},
		"a scale-down": {newWorld(3), func(w *world) { w.Set.Replicas = 1 }, "", ""},
		"parallel":     {newWorld(3).parallel(), func(w *world) { w.Set.Replicas = 0 }, "", ""},
		"claims are not given to pods that would take them along": {newWorld(3).withClaims(), func(w *world) {
			w.Set.Replicas, w.Set.WhenScaled = 2, "Delete"
		}, "", ""},
		"retention by the set goes on": {newWorld(1).withClaims(), func(w *world) { w.Set.WhenDeleted = "Delete" }, "set-claim-owners www-web-0", ""},
		"a missing pod is created":     {newWorld(3).without("web-1"), nil, "create-pod web-1", ""},
		"a pod that has ended is recreated": {newWorld(3), func(w *world) { w.p("web-1").Phase = model.PodFailed },
			"delete-pod web-1", ""},
		"an update goes on": {mended(), func(w *world) { w.p("web-2").Revision = badRevision }, "delete-pod web-2", "UPDATE_BUDGET web-1"},
		"a repair goes on":  {mended(), func(w *world) { w.neverReady("web-2", badRevision) }, "delete-pod web-2", "POD_NOT_READY web-2"},

		"a replica with a drain":  {draining(3), func(w *world) { w.Set.Replicas = 2 }, "", ""},
		"a drain to begin":        {draining(3).scaledTo(2), nil, "", ""},
		"a drain that has failed": {draining(3).scaledTo(2), func(w *world) { w.drainPod(2, model.PodFailed) }, "", ""},
		"a drain that succeeded":  {draining(3).scaledTo(2), func(w *world) { w.drainPod(2, model.PodSucceeded) }, "", ""},
		"a drain policy that is gone": {draining(3).scaledTo(2), func(w *world) {
			w.drainPod(2, model.PodRunning)
			delete(w.Set.Annotations, policy.DrainTemplate)
		}, "", ""},
		"beside another controller": {draining(3).scaledTo(2), func(w *world) { w.Policy.Scope = model.ScopeDrainOnly }, "", ""},
		"a claim that would be deleted with the set is still released": {draining(1).emptiedOnDelete(), func(w *world) { w.ofSet("www-web-0") },
			"set-claim-owners www-web-0", "DRAIN_UNPROTECTED www-web-0"},
		"the finalizer comes":                        {draining(1), func(w *world) { w.asks(policy.DrainOnDelete, "true") }, "set-finalizer web", ""},
		"a set that is being deleted is not emptied": {draining(3).emptiedOnDelete(), func(w *world) { w.going(model.FinalizerDrain) }, "", ""},
		"and it stays, though on-delete was misspelled": {draining(3), func(w *world) {
			w.going(model.FinalizerDrain).asks("setplan.io/drian-on-delete", "true")
		}, "", "SET_DELETING web"},
	} {
		w := row.world.asks(ofTomorrow, "x")
		if row.change != nil {
			row.change(w)
		}
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", sortedBlocks(p), sortedText(strings.TrimSuffix("INVALID_POLICY web, "+row.held, ", ")))
		for _, b := range p.Blocks {
			if b.Code == model.BlockInvalidPolicy && (b.Severity != model.Attention || !strings.Contains(b.Message, ofTomorrow) || !strings.HasSuffix(b.Message, state.UntilFixed)) {
				t.Errorf("%s: %+v", reason, b)
			}
		}
		checkPlan(t, &w.Snapshot, p)
	}
}

// TestKnownAnnotations: known annotations, and those outside our prefix, are not named.
func TestKnownAnnotations(t *testing.T) {
	w := newWorld(2)
	for _, name := range policy.Annotations() {
		w.asks(name, "")
	}
	w.asks("example.com/x", "y").asks("x.setplan.io/y", "z").asks("setplan.iox/y", "z").asks("statefulsets.kubernetes.io/x", "y")
	w.Set.Replicas = 1
	p := Decide(&w.Snapshot)
	check(t, "known", "blocks", blocks(p), "")
	check(t, "known", "actions", actions(p), "delete-pod web-1")
}

// TestManyUnknownAnnotations: the block has a bounded length, whatever their names and number, and its text is stable.
func TestManyUnknownAnnotations(t *testing.T) {
	sentences := map[string]bool{}
	for range 20 {
		w := newWorld(1)
		for i := range 1000 {
			w.asks(fmt.Sprintf("setplan.io/%03d%s", i, strings.Repeat("x", 1000)), "")
		}
		p := Decide(&w.Snapshot)
		check(t, "many", "blocks", blocks(p), "INVALID_POLICY web")
		sentences[p.Blocks[0].Message] = true
	}
	for sentence := range sentences {
		if len(sentences) != 1 || len(sentence) > 1200 || !strings.Contains(sentence, "setplan.io/002x") || !strings.Contains(sentence, " and 997 more annotations are unknown") {
			t.Errorf("%d sentences: %s", len(sentences), sentence)
		}
	}
}
