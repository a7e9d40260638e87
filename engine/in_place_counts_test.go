package engine

import (
	"testing"
	"time"
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
		"what is under way cannot be read":           {func() *world { w := back(); w.answers(annotationUpdate, "?", "web-2"); return w }(), 3, 3, 3, 2},
		"it is being deleted":                        {func() *world { w := back(); w.p("web-2").DeletedAt = noon; return w }(), 3, 2, 2, 2},
		"the set is being deleted":                   {func() *world { w := back(); w.Set.DeletedAt = noon; return w }(), 3, 2, 3, 2},
		"an adapter shows nothing: nothing is known": {func() *world { w := onItsWay().runs("web-2"); w.p("web-2").Containers = nil; return w }(), 3, 2, 3, 0},
	} {
		v, _, _, _ := seen(t, row.w)
		st := countPlaced(v)
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
	trimHistory(v, out)
	check(t, "on its way", "actions", actions(out.plan), "")
	w.marked("web:1", "web-0")
	v, _, _, out = seen(t, w)
	trimHistory(v, out)
	check(t, "at rest", "actions", actions(out.plan), "delete-revision "+secondImage)
}

// TestNoTimeToWaitFor: what a pod runs is not known by a time, so no plan is asked for one.
func TestNoTimeToWaitFor(t *testing.T) {
	w := imaged(3).marked("web:1", "web-0", "web-1", "web-2").sent(secondImage, "web:2", "web-2")
	w.Set.MinReadySeconds = 60
	if plan := Decide(&w.settled().Snapshot); plan.RequeueAfter != 0 {
		t.Errorf("look again in %s", plan.RequeueAfter)
	}
	w.p("web-1").ReadyChangedAt = noon
	if plan := Decide(&w.settled().Snapshot); plan.RequeueAfter != time.Minute {
		t.Errorf("one is not available yet: look again in %s", plan.RequeueAfter)
	}
}
