package engine

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
)

// TestPass: one row for each thing that a pass may meet. The reason is the name; blocks and actions are exact.
func TestPass(t *testing.T) {
	for reason, row := range map[string]struct {
		world         *world
		change        func(*world)
		actions, held string
	}{
		"nothing to do": {newWorld(3), nil, "", ""},
		"the lowest missing ordinal comes first": {newWorld(3), func(w *world) { w.without("web-2").without("web-1") },
			"create-pod web-1", ""},
		"a missing ordinal comes back while higher ones are there": {newWorld(3), func(w *world) { w.without("web-0") },
			"create-pod web-0", ""},
		"OrderedReady waits for a predecessor that is not ready": {newWorld(3), func(w *world) {
			w.without("web-2").p("web-0").Ready = false
		}, "", "POD_NOT_READY web-0"},
		"OrderedReady waits for a predecessor that is going": {newWorld(3), func(w *world) {
			w.without("web-2").p("web-0").DeletedAt = noon
		}, "", "POD_TERMINATING web-0"},
		"Parallel does not wait": {newWorld(3).parallel(), func(w *world) { w.without("web-2").p("web-0").Ready = false },
			"create-pod web-2", "POD_NOT_READY web-0"},
		"a failed pod is deleted, and created once it is gone": {newWorld(2), func(w *world) { w.p("web-0").Phase = model.PodFailed },
			"delete-pod web-0", ""},
		"a pod that ended with success is replaced as well": {newWorld(2), func(w *world) { w.p("web-0").Phase = model.PodSucceeded },
			"delete-pod web-0", ""},
		"a failed pod that is going is waited for": {newWorld(2), func(w *world) {
			w.p("web-0").Phase, w.p("web-0").DeletedAt = model.PodFailed, noon
		}, "", "POD_ENDED web-0"},
		"scale down takes the highest": {newWorld(4), func(w *world) { w.Set.Replicas = 2 }, "delete-pod web-3", ""},
		"scale down waits for the one that is going": {newWorld(4), func(w *world) {
			w.Set.Replicas = 2
			w.p("web-3").DeletedAt = noon
		}, "", "POD_TERMINATING web-3"},
		"scale down does not go on below an ailing pod": {newWorld(4), func(w *world) {
			w.Set.Replicas = 2
			w.p("web-3").Ready, w.p("web-2").Ready = false, false
		}, "", "SCALE_DOWN_WAITS_FOR_POD web-2"},
		"the ailing pod itself may go": {newWorld(4), func(w *world) {
			w.Set.Replicas = 2
			w.p("web-3").Ready = false
		}, "delete-pod web-3", ""},
		"an ailing pod of the range stops scale down": {newWorld(4), func(w *world) {
			w.Set.Replicas = 2
			w.p("web-0").Ready = false
		}, "", "POD_NOT_READY web-0"},
		"Parallel scales down at once": {newWorld(4).parallel(), func(w *world) { w.Set.Replicas = 1 },
			"delete-pod web-3, delete-pod web-2, delete-pod web-1", ""},
		"Parallel waits for those that go": {newWorld(4).parallel(), func(w *world) {
			w.Set.Replicas = 2
			w.p("web-2").DeletedAt, w.p("web-3").DeletedAt = noon, noon
		}, "", "POD_TERMINATING web-2"},
		"a raised start makes room above and takes away below": {newWorld(3), func(w *world) { w.Set.OrdinalsStart = 2 },
			"create-pod web-3", ""},
		"the lower end is condemned too": {newWorld(4), func(w *world) { w.Set.OrdinalsStart, w.Set.Replicas = 2, 2 },
			"delete-pod web-1", ""},
		"an ordinal beyond int32 is left alone": {newWorld(1), func(w *world) { w.pod(0).Name = "web-99999999999" }, "", ""},
		"the last ordinal there is": {newWorld(0), func(w *world) { w.Set.OrdinalsStart, w.Set.Replicas = math.MaxInt32, 1 },
			"create-pod web-2147483647", ""},
		"replicas 0 empties the set": {newWorld(1), func(w *world) { w.Set.Replicas = 0 }, "delete-pod web-0", ""},
		"a pod without the identity label gets it": {newWorld(1), func(w *world) { w.p("web-0").PodNameLabel = false },
			"patch-pod web-0", ""},
		"an orphan that matches is adopted": {newWorld(2), func(w *world) { w.p("web-1").Owners = nil }, "adopt-pod web-1", ""},
		"an orphan that is going is not": {newWorld(2), func(w *world) {
			w.p("web-1").Owners, w.p("web-1").DeletedAt = nil, noon
		}, "", "POD_NAME_TAKEN web-1"},
		"a pod whose labels stop matching is released": {newWorld(2), func(w *world) {
			w.p("web-1").Labels = &model.Labels{Values: map[string]string{"app": "other"}}
		}, "release-pod web-1", "POD_NAME_TAKEN web-1"},
		"a stranger under a wanted name is never touched": {newWorld(2), func(w *world) { w.p("web-1").Owners[0].UID = "other" },
			"", "POD_NAME_TAKEN web-1"},
		"an orphan revision is adopted": {newWorld(1), func(w *world) { w.Revisions[0].Owners = nil },
			"adopt-revision " + nameFor("web:1", 0), ""},
		"a set that is going gets its status only": {newWorld(3), func(w *world) {
			w.Set.DeletedAt = noon
			w.without("web-1").Set.Replicas = 1
		}, "", "SET_DELETING web"},
		"old revisions go beyond the limit, oldest first": {newWorld(1), func(w *world) {
			w.Set.RevisionHistoryLimit = 1
			w.Revisions[0].Number = 9
			for i, image := range []string{"a", "b", "c"} {
				w.revision(int64(i+1), strings.Replace(template, "web:1", image, 1))
			}
		}, "delete-revision " + nameFor("a", 0) + ", delete-revision " + nameFor("b", 0), ""},
		"a negative limit keeps everything": {newWorld(1), func(w *world) {
			w.Set.RevisionHistoryLimit = -1
			w.Revisions[0].Number = 9
			w.revision(1, strings.Replace(template, "web:1", "a", 1))
		}, "", ""},
		"a revision that a pod has is live": {newWorld(1), func(w *world) {
			w.Set.RevisionHistoryLimit = 0
			w.Revisions[0].Number = 9
			w.p("web-0").Revision = w.revision(1, strings.Replace(template, "web:1", "a", 1))
		}, "delete-pod web-0", ""},
		"no coverage, no decision": {newWorld(2), func(w *world) {
			w.Coverage.Pods = false
			w.without("web-1")
		}, "", "COVERAGE_INCOMPLETE web"},
		"an empty selector":           {newWorld(1), func(w *world) { w.Set.Selector = model.Selector{} }, "", "INVALID_SELECTOR web"},
		"a template that is no JSON":  {newWorld(1), func(w *world) { w.Set.PodTemplate = []byte("{") }, "", "INVALID_TEMPLATE web"},
		"an unknown policy":           {newWorld(1), func(w *world) { w.Set.PodManagementPolicy = "Random" }, "", "INVALID_SPEC web"},
		"an unknown strategy":         {newWorld(1), func(w *world) { w.Set.StrategyType = "Rebuild" }, "", "INVALID_SPEC web"},
		"more replicas than anything": {newWorld(1), func(w *world) { w.Set.Replicas = math.MaxInt32 }, "", "INVALID_SPEC web"},
		"ordinals that no pod's name can have": {newWorld(0), func(w *world) { w.Set.OrdinalsStart, w.Set.Replicas = math.MaxInt32, 2 },
			"", "INVALID_SPEC web"},
		"labels that the selector does not match": {newWorld(1), func(w *world) {
			w.Set.Selector.MatchLabels = map[string]string{"app": "other"}
		}, "", "INVALID_TEMPLATE web"},
		"an adapter that cannot": {newWorld(2), func(w *world) {
			w.Capabilities &^= model.CanCreatePod
			w.without("web-1")
		}, "", "CAPABILITY_MISSING web-1"},
	} {
		if row.change != nil {
			row.change(row.world)
		}
		p := Decide(&row.world.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
	}
}

func TestUpdate(t *testing.T) {
	for reason, row := range map[string]struct {
		world         *world
		change        func(*world)
		actions, held string
	}{
		"one pod at a time, the highest": {newWorld(3), nil, "delete-pod web-2", "UPDATE_BUDGET web-1"},
		"down to the partition": {newWorld(3), func(w *world) {
			w.Set.RollingUpdate.Partition = 2
			w.p("web-2").Revision = nameFor("web:2", 0)
		}, "", "PARTITION_HELD web-0"},
		"a partition beyond the range updates nothing": {newWorld(3), func(w *world) { w.Set.RollingUpdate.Partition = 9 }, "", "PARTITION_HELD web-0"},
		"maxUnavailable takes several":                 {newWorld(3), func(w *world) { w.budget("", 2) }, "delete-pod web-2, delete-pod web-1", "UPDATE_BUDGET web-0"},
		"a share is rounded down":                      {newWorld(3), func(w *world) { w.budget("67%", 0) }, "delete-pod web-2, delete-pod web-1", "UPDATE_BUDGET web-0"},
		"but never to nothing":                         {newWorld(3), func(w *world) { w.budget("1%", 0) }, "delete-pod web-2", "UPDATE_BUDGET web-1"},
		"a share that is none":                         {newWorld(3), func(w *world) { w.budget("many", 0) }, "", "INVALID_SPEC web"},
		"OnDelete leaves it to people":                 {newWorld(3), func(w *world) { w.Set.StrategyType, w.Set.RollingUpdate = "OnDelete", nil }, "", "ON_DELETE web-0"},
		"nil rollingUpdate is partition 0":             {newWorld(3), func(w *world) { w.Set.RollingUpdate = nil }, "delete-pod web-2", "UPDATE_BUDGET web-1"},
	} {
		w := row.world.image("web:2")
		w.revision(2, string(w.Set.PodTemplate))
		if row.change != nil {
			row.change(w)
		}
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
	}
}

func (w *world) budget(percent string, count int32) {
	w.Set.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Count: count, Percent: percent}
}

// TestRevisionOfNewPods: at which revision a lost pod comes back while an update is under way.
func TestRevisionOfNewPods(t *testing.T) {
	before, after := nameFor("web:1", 0), nameFor("web:2", 0)
	for reason, row := range map[string]struct {
		change func(*world)
		want   string
	}{
		"below the partition it comes back old":           {func(w *world) { w.Set.RollingUpdate.Partition = 1 }, before},
		"at the partition it comes back new":              {func(*world) {}, after},
		"OnDelete always brings the new revision":         {func(w *world) { w.Set.StrategyType, w.Set.RollingUpdate = "OnDelete", nil }, after},
		"nil rollingUpdate: below currentReplicas, old":   {func(w *world) { w.Set.RollingUpdate = nil }, before},
		"nil rollingUpdate: from currentReplicas on, new": {func(w *world) { w.Set.RollingUpdate, w.Set.Status.CurrentReplicas = nil, 0 }, after},
		"nil rollingUpdate: one that the guard keeps outside the range does not count": {func(w *world) {
			w.asks(policy.Guard, "named").Set.RollingUpdate = nil
			w.Set.Replicas, w.Set.Status.CurrentReplicas = 1, 1
		}, after},
	} {
		w := newWorld(2).image("web:2")
		w.revision(2, string(w.Set.PodTemplate))
		row.change(w.without("web-0"))
		p := Decide(&w.Snapshot)
		a := p.Stages[0].Steps[0].Actions[0]
		manifest := string(a.Op.(model.CreatePod).Manifest)
		if !strings.Contains(manifest, `"controller-revision-hash":"`+row.want+`"`) {
			t.Errorf("%s: %s\nwants revision %s", reason, manifest, row.want)
		}
		image := map[string]string{before: "web:1", after: "web:2"}[row.want]
		if !strings.Contains(manifest, `"image":"`+image+`"`) {
			t.Errorf("%s: %s\nwants image %s", reason, manifest, image)
		}
	}
}

// TestAvailability: minReadySeconds to the instant, and when to look again.
func TestAvailability(t *testing.T) {
	for reason, row := range map[string]struct {
		readyFor  time.Duration
		available int32
		requeue   time.Duration
	}{
		"just before":      {10*time.Second - 1, 1, 1},
		"at the instant":   {10 * time.Second, 2, 0},
		"half way":         {5 * time.Second, 1, 5 * time.Second},
		"a clock that ran": {-3 * time.Second, 1, 13 * time.Second},
	} {
		w := newWorld(2)
		w.Set.MinReadySeconds = 10
		w.Set.Status.AvailableReplicas = -1 // so that the status is planned in every row
		w.p("web-1").ReadyChangedAt = noon.Add(-row.readyFor)
		p := Decide(&w.Snapshot)
		if st := status(p); st == nil || st.AvailableReplicas != row.available || p.RequeueAfter != row.requeue {
			t.Errorf("%s: status %+v, look again in %v; want %d available and %v", reason, st, p.RequeueAfter, row.available, row.requeue)
		}
	}
	w := newWorld(1)
	w.Set.MinReadySeconds = 7
	w.p("web-0").ReadyChangedAt = time.Time{}
	if p := Decide(&w.Snapshot); p.RequeueAfter != 7*time.Second {
		t.Errorf("without a known time of readiness: look again in %v, want minReadySeconds", p.RequeueAfter)
	}
}

func TestSlowStart(t *testing.T) {
	w := newWorld(0).parallel()
	w.Set.Replicas = 2000
	p := Decide(&w.Snapshot)
	var sizes []int
	for _, stage := range p.Stages {
		if stage.Phase == model.PhaseReplicas {
			sizes = append(sizes, len(stage.Steps))
		}
	}
	want := []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 489}
	if len(sizes) != len(want) || sizes[9] != want[9] || sizes[8] != want[8] || !p.Truncated || p.Converged {
		t.Errorf("batches %v, truncated %v; want %v, cut at %d actions", sizes, p.Truncated, want, 1000)
	}
}

func TestOutcomesBecomeBlocks(t *testing.T) {
	w := newWorld(2).without("web-1")
	id := Decide(&w.Snapshot).Stages[0].Steps[0].Actions[0].ID
	w.Outcomes = []model.Outcome{{ActionID: id, Result: model.OutcomeRejected, Count: 3, Message: "exceeded quota"}, {ActionID: "gone"}}
	p := Decide(&w.Snapshot)
	check(t, "the action is tried again", "actions", actions(p), "create-pod web-1")
	check(t, "and its failure is told", "blocks", blocks(p), "ACTION_FAILED_BEFORE web-1")
	if b := p.Blocks[0]; b.Severity != model.Attention || !strings.Contains(b.Message, "exceeded quota") {
		t.Errorf("block %+v, want attention and the API's words", b)
	}
}
