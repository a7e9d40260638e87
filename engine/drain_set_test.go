package engine

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// TestDrainOnDelete: a set that is deleted is drained first.
func TestDrainOnDelete(t *testing.T) {
	for reason, row := range map[string]struct {
		change        func(*world)
		actions, held string
	}{
		"the finalizer is added before it is needed": {func(w *world) { w.Set.Finalizers = nil }, "set-finalizer web", ""},
		"nothing else changes":                       {func(*world) {}, "", ""},
		"the highest replica goes first":             {func(w *world) { w.going(model.FinalizerDrain) }, "delete-pod web-2", "SET_DELETING web"},
		"then its ordinal is drained, without an owner": {func(w *world) { w.going(model.FinalizerDrain).without("web-2") },
			"patch-annotations www-web-2, create-pod web-2", "DRAIN_WAITS web-1, SET_DELETING web"},
		"foreground: the garbage collector deletes the replicas, the drain keeps its order": {func(w *world) {
			w.going("foregroundDeletion", model.FinalizerDrain)
			w.p("web-0").DeletedAt, w.p("web-1").DeletedAt = noon, noon
			w.without("web-2")
		}, "patch-annotations www-web-2, create-pod web-2", "POD_TERMINATING web-1, SET_DELETING web"},
		"the last claim is drained": {func(w *world) {
			w.scaledTo(0).going(model.FinalizerDrain).withoutClaim("www-web-2").withoutClaim("www-web-1")
			w.drainPod(0, model.PodSucceeded)
		}, "delete-claim www-web-0, delete-pod web-0", "SET_DELETING web"},
		"nothing is left: the set may be deleted": {func(w *world) {
			w.scaledTo(0).going(model.FinalizerDrain, "other").withoutClaim("www-web-2").withoutClaim("www-web-1").withoutClaim("www-web-0")
		}, "set-finalizer web", ""},
		"a drain pod without claims is still deleted": {func(w *world) {
			w.scaledTo(0).going(model.FinalizerDrain).withoutClaim("www-web-2").withoutClaim("www-web-1")
			w.drainPod(0, model.PodRunning).DeletedAt = noon
			w.withoutClaim("www-web-0")
		}, "", "DRAINING web-0, SET_DELETING web"},
		"orphan: nothing is drained, and the set is deleted at once": {func(w *world) { w.going("orphan", model.FinalizerDrain) }, "set-finalizer web", "SET_DELETING web"},
		"orphan: a drain that runs ends": {func(w *world) {
			w.scaledTo(2).going("orphan", model.FinalizerDrain)
			w.drainPod(2, model.PodRunning)
		}, "delete-pod web-2, set-finalizer web", "SET_DELETING web"},
		"the policy was removed meanwhile": {func(w *world) {
			w.going(model.FinalizerDrain)
			w.Set.Annotations = nil
		}, "set-finalizer web", "SET_DELETING web"},
		"only on-delete was": {func(w *world) {
			w.going(model.FinalizerDrain)
			w.Set.Annotations[policy.DrainOnDelete] = ""
		}, "set-finalizer web", "SET_DELETING web"},
		"a policy that cannot be used keeps the set": {func(w *world) {
			w.going(model.FinalizerDrain)
			w.Set.Annotations[policy.DrainOnDelete] = "TRUE"
		}, "", "INVALID_POLICY web, SET_DELETING web"},
		"deleted before the finalizer was there: status only": {func(w *world) { w.going("other") }, "", "SET_DELETING web"},
		"without coverage nothing counts as gone": {func(w *world) {
			w.going(model.FinalizerDrain)
			w.Claims, w.Pods, w.Coverage.Claims = nil, nil, false
		}, "", "COVERAGE_INCOMPLETE web"},
		"orphan: the garbage collector has finished": {func(w *world) {
			w.going(model.FinalizerDrain)
			w.Revisions[0].Owners = nil
			for i := range w.Pods {
				w.Pods[i].Owners = nil
			}
		}, "set-finalizer web", "SET_DELETING web"},
		"orphan: only a pod shows it": {func(w *world) {
			w.going(model.FinalizerDrain).scaledTo(1)
			w.Revisions, w.p("web-0").Owners = nil, nil
		}, "set-finalizer web", "SET_DELETING web"},
		"a leftover claim does not show it": {func(w *world) {
			w.scaledTo(0).going(model.FinalizerDrain).withoutClaim("www-web-2").withoutClaim("www-web-1")
			noteClaim(w.c("www-web-0"), state.AnnotationDrainSet, "")
		}, "set-finalizer web", "DRAIN_LEFTOVER www-web-0"},
		"parallel: the limit holds": {func(w *world) {
			w.parallel().going(model.FinalizerDrain)
			w.Set.Annotations[policy.DrainMaxParallel] = "2"
		}, "delete-pod web-2, delete-pod web-1", "DRAIN_WAITS web-0, SET_DELETING web"},
		"parallel: a pod of a lost node is named": {func(w *world) {
			w.parallel().going(model.FinalizerDrain)
			w.p("web-2").DeletedAt = noon
			w.Set.Annotations[policy.DrainMaxParallel] = "1"
		}, "", "DRAIN_WAITS web-1, POD_TERMINATING web-2, SET_DELETING web"},
	} {
		w := draining(3).emptiedOnDelete()
		row.change(w)
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", sortedBlocks(p), row.held)
	}
}

// TestDrainPodOwner: a drain pod is deleted with the set, except while the set waits for it.
func TestDrainPodOwner(t *testing.T) {
	w := draining(3).scaledTo(2)
	want := `"ownerReferences":[{"apiVersion":"apps/v1","kind":"StatefulSet","name":"web","uid":"set-uid"}]`
	if doc := createdPod(Decide(&w.Snapshot)); !strings.Contains(doc, want) {
		t.Errorf("%s\nwants %s", doc, want)
	}
	w.emptiedOnDelete().going(model.FinalizerDrain)
	w.Set.Replicas = 0
	w.Pods = nil
	if doc := createdPod(Decide(&w.Snapshot)); doc == "" || strings.Contains(doc, "ownerReferences") {
		t.Errorf("%s\nhas an owner", doc)
	}
}

// TestDrainAlone: beside the controller that runs the set, only the drain is ours.
func TestDrainAlone(t *testing.T) {
	for reason, row := range map[string]struct {
		world         *world
		change        func(*world)
		actions, held string
	}{
		"no replica, no revision, no status": {draining(3), func(w *world) {
			w.without("web-1").p("web-2").Phase = model.PodFailed
			w.Revisions = nil
			w.Set.Status = model.Status{}
		}, "", ""},
		"no adoption, no release": {draining(3), func(w *world) {
			w.p("web-1").Owners = nil
			w.p("web-2").Labels = &model.Labels{Values: map[string]string{"app": "other"}}
		}, "", ""},
		"claims are marked": {draining(3), func(w *world) { noteClaim(w.c("www-web-1"), state.AnnotationDrainSet, "") }, "patch-annotations www-web-1", ""},
		"a replica outside the range is the other controller's": {draining(3), func(w *world) { w.Set.Replicas = 2 }, "", "DRAIN_WAITS web-2"},
		"its claim is marked while it terminates": {draining(3), func(w *world) {
			w.Set.Replicas = 2
			noteClaim(w.c("www-web-2"), state.AnnotationDrainSet, "")
			w.p("web-2").DeletedAt = noon
		}, "patch-annotations www-web-2", "DRAIN_WAITS web-2"},
		"then it is drained":  {draining(3).scaledTo(2), nil, "patch-annotations www-web-2, create-pod web-2", ""},
		"and its claim freed": {draining(3).scaledTo(2), func(w *world) { w.drainPod(2, model.PodSucceeded) }, "delete-claim www-web-2, delete-pod web-2", ""},
		"the other controller deleted two at once: they are drained one after another": {draining(3).scaledTo(1), nil,
			"patch-annotations www-web-2, create-pod web-2", "DRAIN_WAITS web-1"},
		"asking is not possible beside another controller": {draining(3), func(w *world) { w.Set.Annotations[policy.DrainAsk] = "true" }, "", "INVALID_POLICY web"},
		"whenScaled Delete is refused":                     {draining(3).scaledTo(2), func(w *world) { w.Set.WhenScaled = "Delete" }, "", "INVALID_POLICY web"},
		"whenDeleted Delete is fine without on-delete":     {draining(3), func(w *world) { w.Set.WhenDeleted = "Delete" }, "", ""},
		"whenDeleted Delete is refused with on-delete": {draining(3), func(w *world) {
			w.Set.WhenDeleted = "Delete"
			w.emptiedOnDelete()
		}, "", "INVALID_POLICY web"},
		"a deleted set: the other controller does nothing, so we delete replicas": {draining(3), func(w *world) {
			w.emptiedOnDelete().going(model.FinalizerDrain)
		}, "delete-pod web-2", "SET_DELETING web"},
		"without a policy its traces are removed": {draining(1), func(w *world) { w.Set.Annotations[policy.DrainTemplate] = "" }, "patch-annotations www-web-0", ""},
	} {
		w := row.world
		w.Policy.Scope = model.ScopeDrainOnly
		if row.change != nil {
			row.change(w)
		}
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", sortedBlocks(p), row.held)
		if status(p) != nil {
			t.Errorf("%s: the status is written", reason)
		}
		checkPlan(t, &w.Snapshot, p)
	}
}

// TestDrainAsk: the replica is asked before it is deleted.
func TestDrainAsk(t *testing.T) {
	asked := func(w *world, request, answer string) {
		markAsked(w.p("web-2"), request, answer)
	}
	for reason, row := range map[string]struct {
		change        func(*world)
		actions, held string
	}{
		"the pod is asked first":            {func(*world) {}, "patch-annotations web-2", "DRAIN_ASKED web-2"},
		"it has not answered":               {func(w *world) { asked(w, questionOf("web-2", 1), "") }, "", "DRAIN_ASKED web-2"},
		"its answer is to another question": {func(w *world) { asked(w, questionOf("web-2", 1), "0-q") }, "", "DRAIN_ASKED web-2"},
		"it has answered":                   {func(w *world) { asked(w, questionOf("web-2", 1), questionOf("web-2", 1)) }, "delete-pod web-2", ""},
		"a question in other words is not ours, and no answer to it counts": {func(w *world) { asked(w, "1; touch /tmp/x #", "1; touch /tmp/x #") },
			"patch-annotations web-2", "DRAIN_ASKED web-2"},
		"the question and the answer are another pod's": {func(w *world) { asked(w, questionOf("web-1", 1), questionOf("web-1", 1)) },
			"patch-annotations web-2", "DRAIN_ASKED web-2"},
		"an old answer is no answer": {func(w *world) { asked(w, "", questionOf("web-2", 0)) }, "patch-annotations web-2", "DRAIN_ASKED web-2"},
		"a pod that has ended cannot answer": {func(w *world) { w.p("web-2").Phase, w.p("web-2").Ready = model.PodFailed, false },
			"delete-pod web-2", ""},
		"a scale-up takes the question back": {func(w *world) {
			asked(w, questionOf("web-2", 1), questionOf("web-2", 1))
			w.Set.Replicas = 3
		}, "patch-annotations web-2", ""},
		"the policy no longer asks: the pod is deleted": {func(w *world) {
			asked(w, questionOf("web-2", 1), "")
			w.Set.Annotations[policy.DrainAsk] = ""
		}, "delete-pod web-2", ""},
		"ordered: the lower one is asked later": {func(w *world) { w.Set.Replicas = 1 }, "patch-annotations web-2", "DRAIN_ASKED web-2"},
		"parallel: all are asked": {func(w *world) { w.parallel().Set.Replicas = 1 }, "patch-annotations web-2, patch-annotations web-1",
			"DRAIN_ASKED web-1, DRAIN_ASKED web-2"},
	} {
		for _, template := range []string{"", drainTemplate} {
			w := draining(3)
			if template == "" {
				w = newWorld(3)
				w.Set.Annotations = map[string]string{}
			}
			w.Set.Replicas, w.Set.Annotations[policy.DrainAsk] = 2, "true"
			row.change(w)
			p := Decide(&w.Snapshot)
			check(t, reason, "actions", actions(p), row.actions)
			check(t, reason, "blocks", sortedBlocks(p), row.held)
			checkPlan(t, &w.Snapshot, p)
		}
	}
}

// TestQuestionIsStable: two adapters ask the same question, and another scale-down asks a new one.
func TestQuestionIsStable(t *testing.T) {
	ask := func(generation int64) string {
		w := newWorld(3)
		w.Set.Annotations, w.Set.Replicas, w.Set.Generation = map[string]string{policy.DrainAsk: "true"}, 2, generation
		return Decide(&w.Snapshot).Stages[0].Steps[0].Actions[0].Op.(model.PatchAnnotations).Set[0].Value
	}
	first, again, other := ask(4), ask(4), ask(5)
	if first != again || first == other {
		t.Errorf("questions %s, %s, %s", first, again, other)
	}
}

// TestDrainAskRemedy: users paste the remedy into a shell, so it contains no question that others wrote.
func TestDrainAskRemedy(t *testing.T) {
	ours := regexp.MustCompile(`setplan\.io/drain-answer=[0-9]+-[0-9a-z]+ --overwrite` + "`$")
	for _, request := range []string{"", questionOf("web-2", 1), "1; touch /tmp/x #", "$(id)-1", "1-`id`", "1", "-", "1-", "1-q-", "1-" + strings.Repeat("q", 99)} {
		w := draining(3)
		w.Set.Replicas, w.Set.Annotations[policy.DrainAsk] = 2, "true"
		markAsked(w.p("web-2"), request, "")
		asked := slices.IndexFunc(Decide(&w.Snapshot).Blocks, func(b model.Block) bool { return b.Code == model.BlockDrainAsked && ours.MatchString(b.Remedy) })
		if asked < 0 {
			t.Errorf("%q: the blocks are %v", request, Decide(&w.Snapshot).Blocks)
		}
	}
}
