package engine

import (
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/setstatus"
	"github.com/setplan/setplan/engine/state"
)

// TestCountsOnTheWay: what the status says of a pod whose images change in place. It does not count as updated before its label follows, nor as
// available before it is known what it runs; and the label alone makes no pod updated.
func TestCountsOnTheWay(t *testing.T) {
	all := []string{"web-0", "web-1", "web-2"}
	onItsWay := func() *world { return imaged(3).marked("web:1", all...).sent(secondImage, "web:2", "web-2") }
	back := func() *world { // the template is web:1 again
		w := onItsWay()
		w.Set.PodTemplate = []byte(template)
		w.Revisions[0].Number = 3
		return w
	}
	for reason, row := range map[string]struct {
		w                                  *world
		ready, available, current, updated int32
	}{
		"marked":                                     {imaged(3).marked("web:1", all...), 3, 3, 3, 0},
		"its kubelet does not know":                  {onItsWay(), 3, 2, 3, 0},
		"it runs":                                    {onItsWay().runs("web-2"), 3, 3, 3, 0},
		"it does not run":                            {onItsWay().fails("web-2"), 2, 2, 3, 0},
		"it is there":                                {imaged(3).marked("web:2", "web-2").atNewest("web-2"), 3, 3, 2, 1},
		"it runs what is no longer wanted":           {back().runs("web-2"), 3, 3, 3, 2},
		"it is on its way back":                      {back().sent(firstImage, "web:1", "web-2"), 3, 2, 3, 2},
		"what is under way cannot be read":           {func() *world { w := back(); w.answers(inplace.AnnotationUpdate, "?", "web-2"); return w }(), 3, 3, 3, 2},
		"it is being deleted":                        {func() *world { w := back(); w.p("web-2").DeletedAt = noon; return w }(), 3, 2, 2, 2},
		"the set is being deleted":                   {func() *world { w := back(); w.Set.DeletedAt = noon; return w }(), 3, 2, 3, 2},
		"an adapter shows nothing: nothing is known": {func() *world { w := onItsWay().runs("web-2"); w.p("web-2").Containers = nil; return w }(), 3, 2, 3, 0},
	} {
		v, _, _, _ := seen(t, row.w)
		st := setstatus.CountPlaced(&v.Claims)
		if st.ReadyReplicas != row.ready || st.AvailableReplicas != row.available || st.CurrentReplicas != row.current || st.UpdatedReplicas != row.updated {
			t.Errorf("%s: %d ready, %d available, %d current, %d updated, want %d, %d, %d, %d", reason, st.ReadyReplicas, st.AvailableReplicas, st.CurrentReplicas, st.UpdatedReplicas,
				row.ready, row.available, row.current, row.updated)
		}
	}
}

// TestHistoryOnTheWay: the revision that a pod is on its way to is in use, and so is the one that its label names.
func TestHistoryOnTheWay(t *testing.T) {
	w := imaged(1).marked("web:1", "web-0").sent(secondImage, "web:2", "web-0").image("web:3")
	w.revision(3, string(w.Set.PodTemplate))
	w.Set.RevisionHistoryLimit = 0
	v, _, _, out := seen(t, w)
	setstatus.TrimHistory(&v.Claims, out)
	check(t, "on its way", "actions", actions(out.Plan), "")
	w.marked("web:1", "web-0")
	v, _, _, out = seen(t, w)
	setstatus.TrimHistory(&v.Claims, out)
	check(t, "at rest", "actions", actions(out.Plan), "delete-revision "+secondImage)
}

// TestNoTimeToWaitFor: what a pod runs is mostly not known by a time, so no plan is asked for one; where it is, one is.
func TestNoTimeToWaitFor(t *testing.T) {
	w := imaged(3).marked("web:1", "web-0", "web-1", "web-2").sent(secondImage, "web:2", "web-2")
	w.Set.MinReadySeconds = 60
	if plan := Decide(&w.settled().Snapshot); plan.RequeueAfter != 0 {
		t.Errorf("look again in %s", plan.RequeueAfter)
	}
	w.unready("web-0")
	if plan := Decide(&w.settled().Snapshot); plan.RequeueAfter != state.Moment-time.Second {
		t.Errorf("one is not ready besides, and goes once the first has had its time: look again in %s", plan.RequeueAfter)
	}
	w.p("web-0").Ready = true
	w.p("web-1").ReadyChangedAt = noon
	if plan := Decide(&w.settled().Snapshot); plan.RequeueAfter != time.Minute {
		t.Errorf("one is not available yet: look again in %s", plan.RequeueAfter)
	}
	of := w.p("web-2").Containers
	of.ObservedGeneration, of.Containers[0] = 0, running("web", "web:1", 7)
	of.Containers[0].Image = "web:2"
	if plan := Decide(&w.settled().Snapshot); plan.RequeueAfter != 9*time.Second {
		t.Errorf("a kubelet that does not say what it knows of: look again in %s", plan.RequeueAfter)
	}
}

// TestUncountedOnTheWay: a pod that is on its way back, and is recreated, was on no counter of updated pods.
func TestUncountedOnTheWay(t *testing.T) {
	w := imaged(3).marked("web:1", "web-2").sent(firstImage, "web:1", "web-2")
	w.Set.PodTemplate, w.Set.StrategyType, w.Set.Status.UpdatedReplicas = []byte(template), "OnDelete", 7
	w.Revisions[0].Number = 3
	w.answers(state.AnnotationRecreate, "true", "web-2")
	plan := Decide(&w.Snapshot)
	check(t, "by hand", "writes", writes(plan), "delete-pod web-2@1")
	if st := plannedStatus(plan); st.UpdatedReplicas != 2 {
		t.Errorf("%d pods are updated, and the two others are", st.UpdatedReplicas)
	}
}

// TestPausedOnTheWay: a pod that is on its way does not show how far a paused rollout has come, whatever its label says: one that is lost above it
// comes back at the old revision.
func TestPausedOnTheWay(t *testing.T) {
	for want, under := range map[string]bool{firstImage: true, secondImage: false} {
		w := imaged(3).atNewest("web-0").marked("web:2", "web-0")
		if under {
			w.sent("web-other", "web:3", "web-0")
		}
		made := ""
		for _, a := range allActions(Decide(&w.settled().without("web-1").asks(policy.Pause, "Updates").Snapshot)) {
			if op, is := a.Op.(model.CreatePod); is {
				made = string(op.Manifest)
			}
		}
		if !strings.Contains(made, want) {
			t.Errorf("on its way %v: web-1 comes back as %s, want %s", under, made, want)
		}
	}
}
