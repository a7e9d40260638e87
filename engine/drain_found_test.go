package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// TestDrainLooksAgainAtTheEarliest: of two failed drain pods the one whose wait ends first decides when to look again.
func TestDrainLooksAgainAtTheEarliest(t *testing.T) {
	for _, late := range []int{2, 3} {
		w := draining(4).parallel().scaledTo(2)
		for _, ordinal := range []int{2, 3} {
			w.drainPod(ordinal, model.PodFailed).CreatedAt = noon
		}
		markAttempted(w.c(fmt.Sprintf("www-web-%d", late)), 3)
		if p := Decide(&w.Snapshot); p.RequeueAfter != 10*time.Second {
			t.Errorf("ordinal %d waits longer: look again in %v, want %v", late, p.RequeueAfter, 10*time.Second)
		}
	}
}

// TestDrainConditions has rows for mutations of single conditions of the drain that other tests did not find.
func TestDrainConditions(t *testing.T) {
	for reason, row := range map[string]struct {
		change        func(*world)
		actions, held string
		says          string
	}{
		"a pending drain pod whose claim is missing cannot start": {func(w *world) {
			w.twoTemplates().drainPod(2, model.PodPending)
			w.withoutClaim("logs-web-2")
		}, "", "DRAIN_CLAIM_MISSING logs-web-2", "cannot be drained"},
		"a pending drain pod with all its claims is starting": {func(w *world) { w.twoTemplates().drainPod(2, model.PodPending) },
			"", "DRAINING web-2", "is pending"},
		"a running drain pod has the claims that it needs": {func(w *world) {
			w.twoTemplates().drainPod(2, model.PodRunning)
			w.withoutClaim("logs-web-2")
		}, "", "DRAINING web-2", "is running"},
		"Cancel only concerns ordinals that are back in the range": {func(w *world) {
			w.Set.Annotations[policy.DrainScaleUp] = "Cancel"
			w.drainPod(2, model.PodRunning)
		}, "", "DRAINING web-2", ""},
		"a terminating claim of the range is not marked": {func(w *world) {
			noteClaim(w.c("www-web-1"), state.AnnotationDrainSet, "")
			w.c("www-web-1").DeletedAt = noon
			w.drainPod(2, model.PodRunning)
		}, "", "CLAIM_TERMINATING www-web-1, DRAINING web-2", ""},
		"back in the range, a drain pod keeps its attempts": {func(w *world) {
			w.Set.Replicas = 3
			w.drainPod(2, model.PodRunning)
		}, "", "DRAINING web-2", "comes back empty"},
		"back in the range, a drain pod that has succeeded goes before a claim whose mark was removed is marked again": {func(w *world) {
			w.Set.Replicas = 3
			w.drainPod(2, model.PodSucceeded)
			noteClaim(w.c("www-web-2"), state.AnnotationDrainSet, "")
		}, "delete-pod web-2", "", "has succeeded"},
		"back in the range under Cancel, the attempts are removed once the drain pod is gone": {func(w *world) {
			w.Set.Replicas, w.Set.Annotations[policy.DrainScaleUp] = 3, "Cancel"
			w.drainPod(2, model.PodRunning)
		}, "delete-pod web-2", "", ""},
		"a later drain pod is counted": {func(w *world) {
			markAttempted(w.c("www-web-2"), 3)
			w.drainPod(2, model.PodRunning)
		}, "", "DRAINING web-2", "This is attempt 3."},
		"an attempt that cannot be recorded is not made": {func(w *world) { w.Capabilities &^= model.CanPatchAnnotations },
			"", "CAPABILITY_MISSING www-web-2", ""},
		"an attempt with a claim that cannot be marked is not made": {func(w *world) {
			w.Capabilities &^= model.CanPatchAnnotations
			w.Set.Annotations[policy.DrainLeftovers] = "true"
			noteClaim(w.c("www-web-2"), state.AnnotationDrainSet, "web/earlier")
			markAttempted(w.c("www-web-2"), 1)
		}, "", "CAPABILITY_MISSING www-web-2", ""},
		"outside the range its drain pod says so": {func(*world) {}, "patch-annotations www-web-2, create-pod web-2", "", "Ordinal 2 is outside the range"},
		"back in the range its drain pod says that": {func(w *world) {
			w.Set.Replicas = 3
			markAttempted(w.c("www-web-2"), 1)
		}, "create-pod web-2", "", "The drain of ordinal 2 has begun and has to finish"},
	} {
		w := draining(3).scaledTo(2)
		row.change(w)
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
		if !strings.Contains(Describe(p), row.says) {
			t.Errorf("%s:\n%swants %s", reason, Describe(p), row.says)
		}
		checkPlan(t, &w.Snapshot, p)
	}
}
