package engine

import (
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// TestDrain has one row for each state of an ordinal outside the range. The reason is the name.
func TestDrain(t *testing.T) {
	for reason, row := range map[string]struct {
		world         *world
		change        func(*world)
		actions, held string
	}{
		"nothing outside the range, nothing to do": {draining(3), nil, "", ""},
		"the replica goes first":                   {draining(3), func(w *world) { w.Set.Replicas = 2 }, "delete-pod web-2", ""},
		"nothing happens while the replica is terminating": {draining(3), func(w *world) {
			w.Set.Replicas = 2
			w.p("web-2").DeletedAt = noon
		}, "", "POD_TERMINATING web-2"},
		"once the replica is gone the drain begins": {draining(3).scaledTo(2), nil, "patch-annotations www-web-2, create-pod web-2", ""},
		"it runs": {draining(3).scaledTo(2), func(w *world) { w.drainPod(2, model.PodRunning) }, "", "DRAINING web-2"},
		"it has succeeded: claims, then pod": {draining(3).scaledTo(2), func(w *world) { w.drainPod(2, model.PodSucceeded) },
			"delete-claim www-web-2, delete-pod web-2", ""},
		"a crash between claim and pod: the drain pod is deleted": {draining(3).scaledTo(2), func(w *world) {
			w.drainPod(2, model.PodSucceeded)
			w.withoutClaim("www-web-2")
		}, "delete-pod web-2", ""},
		"the claim is terminating: the drain pod is deleted, too": {draining(3).scaledTo(2), func(w *world) {
			w.drainPod(2, model.PodSucceeded)
			w.c("www-web-2").DeletedAt = noon
		}, "delete-pod web-2", ""},
		"a recreated claim of the same name stays": {draining(3).scaledTo(2), func(w *world) {
			w.drainPod(2, model.PodSucceeded)
			w.c("www-web-2").UID = "another"
		}, "delete-pod web-2", ""},
		"a claim whose mark was removed stays": {draining(3).scaledTo(2), func(w *world) {
			w.drainPod(2, model.PodSucceeded)
			noteClaim(w.c("www-web-2"), state.AnnotationDrainSet, "")
		}, "delete-pod web-2", "DRAIN_LEFTOVER www-web-2"},
		"a terminating drain pod is awaited": {draining(3).scaledTo(2), func(w *world) {
			w.drainPod(2, model.PodSucceeded).DeletedAt = noon
		}, "", "DRAINING web-2"},
		"its claims are gone: nothing left to drain": {draining(3).scaledTo(2), func(w *world) {
			w.drainPod(2, model.PodPending)
			w.withoutClaim("www-web-2")
		}, "delete-pod web-2", ""},
		"it failed: another drain pod is created, and the claim stays": {draining(3).scaledTo(2), func(w *world) { w.drainPod(2, model.PodFailed) },
			"patch-annotations www-web-2, delete-pod web-2", "DRAIN_FAILED web-2"},
		"it runs, and the claim records since when": {draining(3).scaledTo(2), func(w *world) {
			w.drainPod(2, model.PodRunning)
			markBegun(w.c("www-web-2"), time.Time{})
		}, "patch-annotations www-web-2", "DRAINING web-2"},
		"not before its time": {draining(3).scaledTo(2), func(w *world) { w.drainPod(2, model.PodFailed).CreatedAt = noon.Add(-time.Second) },
			"", "DRAIN_FAILED web-2"},
		"a foreign pod has the name": {draining(3).scaledTo(2), func(w *world) {
			w.drainPod(2, model.PodSucceeded).Annotations = nil
		}, "", "POD_NAME_TAKEN web-2"},
		"a drain pod of an earlier set is foreign": {draining(3).scaledTo(2), func(w *world) {
			notePod(w.drainPod(2, model.PodSucceeded), state.AnnotationDrainSet, "web/earlier")
		}, "", "POD_NAME_TAKEN web-2"},
		"a replica that says it is a drain pod is a replica": {draining(3), func(w *world) {
			markDrains(w.p("web-2"), "uid-www-web-2")
			w.p("web-2").Phase = model.PodSucceeded
		}, "delete-pod web-2", ""},
		"a drain pod is never adopted": {draining(3).scaledTo(2), func(w *world) {
			w.drainPod(2, model.PodRunning).Labels, w.p("web-2").Owners = webLabels, nil
		}, "", "DRAINING web-2"},
		"without claim templates there is nothing to drain": {newWorld(3), func(w *world) {
			w.Set.Annotations = map[string]string{policy.DrainTemplate: drainTemplate}
			w.Set.Replicas = 2
		}, "delete-pod web-2", ""},
		"a replica that never had its mark gets it before it goes": {draining(3), func(w *world) {
			w.Set.Replicas = 2
			noteClaim(w.c("www-web-2"), state.AnnotationDrainSet, "")
		}, "patch-annotations www-web-2", ""},
		"a claim of the range is marked": {draining(3), func(w *world) { noteClaim(w.c("www-web-1"), state.AnnotationDrainSet, "") }, "patch-annotations www-web-1", ""},
		"a claim of the range with an earlier set's mark is marked again": {draining(3), func(w *world) {
			noteClaim(w.c("www-web-1"), state.AnnotationDrainSet, "web/earlier")
		}, "patch-annotations www-web-1", ""},
		"a claim of the range with another set's mark is left alone": {draining(3), func(w *world) {
			noteClaim(w.c("www-web-1"), state.AnnotationDrainSet, "b-web/other")
		}, "", "DRAIN_LEFTOVER www-web-1"},
		"a leftover is not drained": {draining(3).scaledTo(2), func(w *world) { noteClaim(w.c("www-web-2"), state.AnnotationDrainSet, "") },
			"", "DRAIN_LEFTOVER www-web-2"},
		"an earlier set's leftover is not drained": {draining(3).scaledTo(2), func(w *world) { noteClaim(w.c("www-web-2"), state.AnnotationDrainSet, "web/earlier") },
			"", "DRAIN_LEFTOVER www-web-2"},
		"a leftover is marked and drained if the policy says so": {draining(3).scaledTo(2), func(w *world) {
			noteClaim(w.c("www-web-2"), state.AnnotationDrainSet, "")
			w.Set.Annotations[policy.DrainLeftovers] = "true"
		}, "patch-annotations www-web-2, patch-annotations www-web-2, create-pod web-2", ""},
		"another set's claim is never drained": {draining(3).scaledTo(2), func(w *world) {
			noteClaim(w.c("www-web-2"), state.AnnotationDrainSet, "b-web/other")
			w.Set.Annotations[policy.DrainLeftovers] = "true"
		}, "", "DRAIN_LEFTOVER www-web-2"},
		"a name such as www-web-02 is nobody's": {draining(3).scaledTo(2), func(w *world) { w.c("www-web-2").Name = "www-web-02" }, "", ""},
		"several templates, one pod": {draining(3).scaledTo(2).twoTemplates(), nil,
			"patch-annotations www-web-2, patch-annotations logs-web-2, create-pod web-2", ""},
		"a missing claim holds back the drain": {draining(3).scaledTo(2).twoTemplates(), func(w *world) { w.withoutClaim("logs-web-2") },
			"", "DRAIN_CLAIM_MISSING logs-web-2"},
		"a terminating claim holds it back, too": {draining(3).scaledTo(2).twoTemplates(), func(w *world) { w.c("logs-web-2").DeletedAt = noon },
			"", "DRAIN_CLAIM_MISSING logs-web-2"},
		"another set's claim holds it back, too": {draining(3).scaledTo(2).twoTemplates(), func(w *world) { noteClaim(w.c("logs-web-2"), state.AnnotationDrainSet, "b-web/other") },
			"", "DRAIN_CLAIM_MISSING logs-web-2, DRAIN_LEFTOVER logs-web-2"},
		"a claim that was created for it is drained with it": {draining(3).scaledTo(2).twoTemplates(), func(w *world) { noteClaim(w.c("logs-web-2"), state.AnnotationDrainSet, "") },
			"patch-annotations logs-web-2, patch-annotations www-web-2, patch-annotations logs-web-2, create-pod web-2", ""},
		"a claim that is deleted with the replica is not kept": {draining(3).scaledTo(2), func(w *world) {
			w.c("www-web-2").Owners = []model.Owner{{APIVersion: "v1", Kind: model.KindPod, Name: "web-2", UID: "uid-web-2", Controller: true}}
		}, "", "CLAIM_STALE www-web-2"},
		"giving up the rest ends the drain": {draining(3).scaledTo(2).twoTemplates(), func(w *world) {
			w.withoutClaim("logs-web-2").c("www-web-2").DeletedAt = noon
		}, "", ""},
		"the start was raised: below the range is outside": {draining(3), func(w *world) {
			w.without("web-0").Set.OrdinalsStart, w.Set.Replicas = 1, 2
		}, "patch-annotations www-web-0, create-pod web-0", ""},
		"KUBERNETES_1_36 drains as well": {draining(3).scaledTo(2), func(w *world) { w.Rules = model.Kubernetes136() },
			"patch-annotations www-web-2, create-pod web-2", ""},
		"no coverage of claims, no decision": {draining(3).scaledTo(2), func(w *world) {
			w.Coverage.Claims = false
			w.Claims = nil
		}, "", "COVERAGE_INCOMPLETE web"},
		"an adapter that cannot delete claims deletes nothing": {draining(3).scaledTo(2), func(w *world) {
			w.Capabilities &^= model.CanDeleteClaim
			w.drainPod(2, model.PodSucceeded)
		}, "", "INVALID_POLICY web"},
		"an adapter that cannot mark takes no replica away": {draining(3), func(w *world) {
			w.Set.Replicas = 2
			noteClaim(w.c("www-web-2"), state.AnnotationDrainSet, "")
			w.Capabilities &^= model.CanPatchAnnotations
		}, "", "CAPABILITY_MISSING www-web-2"},
	} {
		if row.change != nil {
			row.change(row.world)
		}
		p := Decide(&row.world.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
		checkPlan(t, &row.world.Snapshot, p)
	}
}

// TestDrainOrder: which ordinal may go on under each policy.
func TestDrainOrder(t *testing.T) {
	for reason, row := range map[string]struct {
		world         *world
		change        func(*world)
		actions, held string
	}{
		"ordered: the next replica waits for the drain above": {draining(4), func(w *world) {
			w.without("web-3").Set.Replicas = 2
			w.drainPod(3, model.PodRunning)
		}, "", "DRAINING web-3, DRAIN_WAITS web-2"},
		"ordered: also before the drain pod exists": {draining(4), func(w *world) { w.without("web-3").Set.Replicas = 2 },
			"patch-annotations www-web-3, create-pod web-3", "DRAIN_WAITS web-2"},
		"ordered: also for a drain that cannot begin": {draining(4).twoTemplates(), func(w *world) {
			w.without("web-3").withoutClaim("logs-web-3").Set.Replicas = 2
		}, "", "DRAIN_CLAIM_MISSING logs-web-3, DRAIN_WAITS web-2"},
		"ordered: not for a leftover": {draining(4), func(w *world) {
			w.without("web-3").Set.Replicas = 2
			noteClaim(w.c("www-web-3"), state.AnnotationDrainSet, "")
		}, "delete-pod web-2", "DRAIN_LEFTOVER www-web-3"},
		"ordered: not for a terminating claim": {draining(4), func(w *world) {
			w.without("web-3").Set.Replicas = 2
			w.c("www-web-3").DeletedAt = noon
		}, "delete-pod web-2", ""},
		"ordered: two ordinals without replicas, one after another": {draining(4).scaledTo(2), nil,
			"patch-annotations www-web-3, create-pod web-3", "DRAIN_WAITS web-2"},
		"ordered: a drain below a terminating replica waits": {draining(4), func(w *world) { w.without("web-2").Set.Replicas = 2 },
			"delete-pod web-3", "DRAIN_WAITS web-2"},
		"ordered: below the range comes after above": {draining(4), func(w *world) {
			w.without("web-0").without("web-3").Set.OrdinalsStart, w.Set.Replicas = 1, 2
		}, "patch-annotations www-web-3, create-pod web-3", "DRAIN_WAITS web-0"},
		"parallel: all at once, up to the limit": {draining(4).parallel(), func(w *world) { w.Set.Replicas, w.Set.Annotations[policy.DrainMaxParallel] = 1, "2" },
			"delete-pod web-3, delete-pod web-2", "DRAIN_WAITS web-1"},
		"parallel: what drains counts": {draining(4).parallel(), func(w *world) {
			w.Set.Replicas, w.Set.Annotations[policy.DrainMaxParallel] = 1, "2"
			w.without("web-3").drainPod(3, model.PodRunning)
		}, "delete-pod web-2", "DRAINING web-3, DRAIN_WAITS web-1"},
		"parallel: terminating replicas count": {draining(4).parallel(), func(w *world) {
			w.Set.Replicas, w.Set.Annotations[policy.DrainMaxParallel] = 1, "1"
			w.p("web-3").DeletedAt = noon
		}, "", "DRAIN_WAITS web-2, POD_TERMINATING web-3"},
		"parallel: drain pods keep the limit too": {draining(4).parallel().scaledTo(1), func(w *world) { w.Set.Annotations[policy.DrainMaxParallel] = "2" },
			"patch-annotations www-web-3, create-pod web-3, patch-annotations www-web-2, create-pod web-2", "DRAIN_WAITS web-1"},
		"the limit is 10 unless the policy says otherwise": {draining(13).parallel(), func(w *world) { w.Set.Replicas = 0 },
			"delete-pod web-12, delete-pod web-11, delete-pod web-10, delete-pod web-9, delete-pod web-8, delete-pod web-7, delete-pod web-6, delete-pod web-5, delete-pod web-4, delete-pod web-3",
			"DRAIN_WAITS web-2"},
	} {
		if row.change != nil {
			row.change(row.world)
		}
		p := Decide(&row.world.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", sortedBlocks(p), row.held)
		checkPlan(t, &row.world.Snapshot, p)
	}
}

// TestDrainAndScaleUp: an ordinal is wanted again while it is drained.
func TestDrainAndScaleUp(t *testing.T) {
	for reason, row := range map[string]struct {
		change        func(*world)
		actions, held string
	}{
		"before a drain pod was made the replica just comes back": {func(w *world) { w.without("web-2") }, "create-pod web-2", ""},
		"Finish: a running drain goes on":                         {func(w *world) { w.without("web-2").drainPod(2, model.PodRunning) }, "", "DRAINING web-2"},
		"Finish: a drain that succeeded is finished": {func(w *world) { w.without("web-2").drainPod(2, model.PodSucceeded) },
			"delete-claim www-web-2, delete-pod web-2", ""},
		"Finish: then the ordinal comes back empty": {func(w *world) { w.without("web-2").withoutClaim("www-web-2") },
			"create-claim www-web-2, create-pod web-2", ""},
		"Finish: a lost drain pod is recreated before the replica": {func(w *world) { markAttempted(w.without("web-2").c("www-web-2"), 1) },
			"create-pod web-2", ""},
		"Finish: a failed drain pod, too": {func(w *world) { w.without("web-2").drainPod(2, model.PodFailed) },
			"patch-annotations www-web-2, delete-pod web-2", "DRAIN_FAILED web-2"},
		"Cancel: the drain pod goes": {func(w *world) {
			w.Set.Annotations[policy.DrainScaleUp] = "Cancel"
			w.without("web-2").drainPod(2, model.PodRunning)
		}, "delete-pod web-2", ""},
		"Cancel: a failed drain pod is deleted, too": {func(w *world) {
			w.Set.Annotations[policy.DrainScaleUp] = "Cancel"
			w.without("web-2").drainPod(2, model.PodFailed)
		}, "delete-pod web-2", ""},
		"Cancel: a drain that succeeded is finished": {func(w *world) {
			w.Set.Annotations[policy.DrainScaleUp] = "Cancel"
			w.without("web-2").drainPod(2, model.PodSucceeded)
		}, "delete-claim www-web-2, delete-pod web-2", ""},
		"Cancel: then the replica returns to its data": {func(w *world) {
			w.Set.Annotations[policy.DrainScaleUp] = "Cancel"
			markAttempted(w.without("web-2").c("www-web-2"), 1)
		}, "create-pod web-2, patch-annotations www-web-2", ""},
		"a recreated replica ends the drain": {func(w *world) { markAttempted(w.c("www-web-2"), 1) },
			"patch-annotations www-web-2", ""},
	} {
		w := draining(3)
		row.change(w)
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
		checkPlan(t, &w.Snapshot, p)
	}
}

// TestDrainPodOrReplica: "create-pod web-2" above means the drain pod in one row and the replica in the others.
func TestDrainPodOrReplica(t *testing.T) {
	for attempts, want := range map[int32]string{0: "web:1", 1: "drain:1"} {
		w := draining(3).without("web-2")
		markAttempted(w.c("www-web-2"), attempts)
		if doc := createdPod(Decide(&w.Snapshot)); !strings.Contains(doc, want) {
			t.Errorf("with %d attempts: %s, want image %s", attempts, doc, want)
		}
	}
}

// createdPod is the manifest of the pod that a plan creates.
func createdPod(p *model.Plan) string {
	for _, stage := range p.Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if op, ok := a.Op.(model.CreatePod); ok {
					return string(op.Manifest)
				}
			}
		}
	}
	return ""
}

// TestDrainBackoff: a failed drain pod is kept longer each time, and the plan says until when.
func TestDrainBackoff(t *testing.T) {
	for attempt, want := range map[int32]time.Duration{1: 10 * time.Second, 2: 20 * time.Second, 5: 160 * time.Second, 6: 320 * time.Second,
		7: 6 * time.Minute, 1 << 30: 6 * time.Minute} {
		w := draining(3).scaledTo(2)
		markAttempted(w.c("www-web-2"), attempt)
		w.drainPod(2, model.PodFailed).CreatedAt = noon.Add(-want + time.Second)
		p := Decide(&w.Snapshot)
		if len(p.Blocks) != 1 || !p.Blocks[0].NotBefore.Equal(noon.Add(time.Second)) || p.RequeueAfter != time.Second || actions(p) != "" {
			t.Errorf("attempt %d: %s", attempt, Describe(p))
		}
		w.p("web-2").CreatedAt = noon.Add(-want)
		if p := Decide(&w.Snapshot); actions(p) != "patch-annotations www-web-2, delete-pod web-2" {
			t.Errorf("attempt %d at its time: %s", attempt, Describe(p))
		}
	}
}

// TestDrainBackoffOfLostPods: a drain pod that is gone cannot say when it was created, but its claim does.
func TestDrainBackoffOfLostPods(t *testing.T) {
	again := "patch-annotations www-web-2, create-pod web-2"
	for reason, row := range map[string]struct {
		begun         time.Time
		actions, held string
	}{
		"too early":                   {noon.Add(-19 * time.Second), "", "DRAIN_FAILED web-2"},
		"at its time":                 {noon.Add(-20 * time.Second), again, ""},
		"never seen":                  {time.Time{}, "create-pod web-2", ""},
		"by a clock that is too fast": {noon.Add(time.Hour), again, ""},
	} {
		w := draining(3).scaledTo(2)
		c := w.c("www-web-2")
		markAttempted(c, 2)
		markBegun(c, row.begun)
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
		if waits := row.held != ""; waits != (p.RequeueAfter == time.Second) || waits && !p.Blocks[0].NotBefore.Equal(noon.Add(time.Second)) {
			t.Errorf("%s: %s", reason, Describe(p))
		}
	}
}
