package engine

import (
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
)

// neverReady makes a pod that a kubelet started an hour ago at a revision and that has never been ready.
func (w *world) neverReady(name, revision string) *model.Pod {
	p := w.p(name)
	p.Revision, p.Ready = revision, false
	p.StartedAt = noon.Add(-time.Hour)
	p.ReadyChangedAt = p.StartedAt
	return p
}

// wasReady makes a pod that was ready for a while and is no longer.
func (w *world) wasReady(name, revision string) *model.Pod {
	p := w.neverReady(name, revision)
	p.ReadyChangedAt = noon.Add(-time.Minute)
	return p
}

// mended is a set of three whose template was web:1, then web:2, which is bad, and is now web:3. No pod has web:3.
func mended() *world {
	w := newWorld(3)
	w.revision(2, strings.Replace(template, "web:1", "web:2", 1))
	w.image("web:3").revision(3, string(w.Set.PodTemplate))
	return w
}

var oldRevision, badRevision, goodRevision = nameFor("web:1", 0), nameFor("web:2", 0), nameFor("web:3", 0)

// TestRepair: which pod is replaced, and what holds that back. The reason is the name.
func TestRepair(t *testing.T) {
	for reason, row := range map[string]struct {
		change        func(*world)
		actions, held string
	}{
		"OrderedReady: the pod of the bad template is deleted": {func(w *world) { w.neverReady("web-2", badRevision) },
			"delete-pod web-2", "POD_NOT_READY web-2"},
		"its claim belongs to it: the claim is released first, and the pod is deleted later": {func(w *world) {
			w.withClaims()
			w.Set.WhenScaled = "Delete"
			w.neverReady("web-2", badRevision)
			w.c("www-web-2").Owners = []model.Owner{{APIVersion: "v1", Kind: "Pod", Name: "web-2", UID: "uid-web-2", Controller: true, BlockOwnerDeletion: true}}
		}, "set-claim-owners www-web-2", "POD_NOT_READY web-2, REPAIR_WAITS web-2"},
		"a pod that was ready is left alone": {func(w *world) { w.wasReady("web-2", badRevision) },
			"", "POD_NOT_READY web-2"},
		"a pod that was ready is repaired if the set says so": {func(w *world) {
			w.asks(policy.Repair, "Unready")
			w.wasReady("web-2", badRevision)
		}, "delete-pod web-2", "POD_NOT_READY web-2"},
		"Never is Never": {func(w *world) {
			w.asks(policy.Repair, "Never")
			w.neverReady("web-2", badRevision)
		}, "", "POD_NOT_READY web-2"},
		"the annotation counts under the rules of Kubernetes, too": {func(w *world) {
			w.Rules = model.Kubernetes136()
			w.asks(policy.Repair, "NeverReady")
			w.neverReady("web-2", badRevision)
		}, "delete-pod web-2", "POD_NOT_READY web-2"},
		"an unknown value repairs nothing": {func(w *world) {
			w.asks(policy.Repair, "unready")
			w.neverReady("web-2", badRevision)
		}, "", "POD_NOT_READY web-2, INVALID_POLICY web"},
		"a pod at the revision it comes back at has all the time it needs": {func(w *world) { w.neverReady("web-2", goodRevision) },
			"", "POD_NOT_READY web-2"},
		"a ready pod is the update's business": {func(w *world) { w.p("web-2").Revision = badRevision },
			"delete-pod web-2", "UPDATE_BUDGET web-1"},
		"a ready pod that is not available yet is not touched": {func(w *world) {
			w.asks(policy.Repair, "Unready")
			w.Set.MinReadySeconds = 600
			w.p("web-2").Revision, w.p("web-2").ReadyChangedAt = badRevision, noon.Add(-time.Minute)
		}, "", "POD_NOT_AVAILABLE web-2"},
		"the highest of two goes first": {func(w *world) {
			w.neverReady("web-1", badRevision)
			w.neverReady("web-2", badRevision)
		}, "delete-pod web-2", "POD_NOT_READY web-1"},
		"the lower one follows once the higher is gone, although it is not recreated yet": {func(w *world) {
			w.neverReady("web-1", badRevision)
			w.without("web-2")
		}, "delete-pod web-1", "POD_NOT_READY web-1"},
		"not while the higher one is terminating": {func(w *world) {
			w.neverReady("web-1", badRevision)
			w.neverReady("web-2", badRevision).DeletedAt = noon
		}, "", "POD_NOT_READY web-1, REPAIR_WAITS web-1"},
		"a terminating pod is not deleted again": {func(w *world) { w.neverReady("web-2", badRevision).DeletedAt = noon },
			"", "POD_TERMINATING web-2"},
		"a pod that has ended is replaced as always": {func(w *world) { w.neverReady("web-2", badRevision).Phase = model.PodFailed },
			"delete-pod web-2", ""},
		"beside a pod that has ended nothing is repaired": {func(w *world) {
			w.neverReady("web-2", badRevision)
			w.p("web-0").Phase = model.PodFailed
		}, "delete-pod web-0", ""},
		"a young pod gets time to become ready": {func(w *world) { w.neverReady("web-2", badRevision).CreatedAt = noon.Add(-9 * time.Second) },
			"", "POD_NOT_READY web-2, REPAIR_WAITS web-2"},
		"to the instant": {func(w *world) { w.neverReady("web-2", badRevision).CreatedAt = noon.Add(-10 * time.Second) },
			"delete-pod web-2", "POD_NOT_READY web-2"},
		"OnDelete is OnDelete": {func(w *world) {
			w.asks(policy.Repair, "Unready")
			w.Set.StrategyType, w.Set.RollingUpdate = "OnDelete", nil
			w.neverReady("web-2", badRevision)
		}, "", "ON_DELETE web-0, POD_NOT_READY web-2"},
		"below the partition a pod comes back at the current revision": {func(w *world) {
			w.Set.RollingUpdate.Partition = 3
			w.neverReady("web-2", badRevision)
		}, "delete-pod web-2", "PARTITION_HELD web-0, POD_NOT_READY web-2"},
		"below the partition a pod at the current revision stays": {func(w *world) {
			w.Set.RollingUpdate.Partition = 3
			w.neverReady("web-2", oldRevision)
		}, "", "PARTITION_HELD web-0, POD_NOT_READY web-2"},
		"below the partition a pod at the newest revision is replaced, too": {func(w *world) {
			w.Set.RollingUpdate.Partition = 3
			w.neverReady("web-2", goodRevision)
		}, "delete-pod web-2", "PARTITION_HELD web-0, POD_NOT_READY web-2"},
		"not if the revision to recreate it at is unusable": {func(w *world) {
			w.Set.RollingUpdate.Partition = 3
			w.Revisions[0].Data = []byte("{}")
			w.neverReady("web-2", badRevision)
		}, "", "INVALID_REVISION " + oldRevision + ", PARTITION_HELD web-0, POD_NOT_READY web-2"},
		"the first start, with nobody ready": {func(w *world) {
			w.Set.Status.CurrentRevision, w.Set.Status.CurrentReplicas = badRevision, 1
			w.without("web-1").without("web-2").neverReady("web-0", badRevision)
		}, "delete-pod web-0", "POD_NOT_READY web-0"},
		"the first start, nil rollingUpdate": {func(w *world) {
			w.Set.RollingUpdate = nil
			w.Set.Status.CurrentRevision, w.Set.Status.CurrentReplicas = badRevision, 1
			w.without("web-1").without("web-2").neverReady("web-0", badRevision)
		}, "delete-pod web-0", "POD_NOT_READY web-0"},
		"nil rollingUpdate: a low pod that comes back as it is stays": {func(w *world) {
			w.Set.RollingUpdate = nil
			w.neverReady("web-1", oldRevision)
		}, "", "POD_NOT_READY web-1"},
		"Parallel: the update takes broken pods by itself, above the partition, one at a time": {func(w *world) {
			w.parallel().neverReady("web-2", badRevision)
			w.neverReady("web-1", badRevision)
		}, "delete-pod web-2", "POD_NOT_READY web-1, UPDATE_BUDGET web-1"},
		"Parallel: below the partition the repair takes them, one at a time": {func(w *world) {
			w.parallel().Set.RollingUpdate.Partition = 3
			w.neverReady("web-0", badRevision)
			w.neverReady("web-1", badRevision)
		}, "delete-pod web-1", "PARTITION_HELD web-0, POD_NOT_READY web-0"},
		"not in a plan that updates": {func(w *world) {
			w.parallel().Set.RollingUpdate.Partition = 2
			w.budget("", 2)
			w.neverReady("web-1", badRevision)
		}, "delete-pod web-2", "PARTITION_HELD web-0, POD_NOT_READY web-1"},
		"Parallel, nil rollingUpdate, first start: nobody else would": {func(w *world) {
			w.parallel().Set.RollingUpdate = nil
			w.Set.Status.CurrentRevision, w.Set.Status.CurrentReplicas = badRevision, 3
			for _, name := range []string{"web-0", "web-1", "web-2"} {
				w.neverReady(name, badRevision)
			}
		}, "delete-pod web-2", "POD_NOT_READY web-0, UPDATE_BUDGET web-2"},
		"a pod outside the range is not repaired": {func(w *world) {
			w.Set.Replicas = 2
			w.neverReady("web-2", badRevision)
		}, "delete-pod web-2", ""},
		"two such pods do not wait for each other": {func(w *world) {
			w.Set.Replicas = 1
			w.neverReady("web-1", badRevision)
			w.neverReady("web-2", badRevision)
		}, "delete-pod web-2", ""},
		"a pod that may recover does not wait for one that cannot": {func(w *world) {
			w.Set.Replicas = 1
			w.neverReady("web-1", badRevision)
			w.wasReady("web-2", oldRevision)
		}, "delete-pod web-2", ""},
		"a pod waits for a lower one that may recover": {func(w *world) {
			w.Set.Replicas = 1
			w.wasReady("web-1", oldRevision)
			w.wasReady("web-2", oldRevision)
		}, "", "SCALE_DOWN_WAITS_FOR_POD web-1"},
		"a pod waits for a lower one that would not be repaired": {func(w *world) {
			w.Set.Replicas = 1
			w.neverReady("web-1", goodRevision)
			w.neverReady("web-2", goodRevision)
		}, "", "SCALE_DOWN_WAITS_FOR_POD web-1"},
		"an adapter that cannot delete": {func(w *world) {
			w.Capabilities &^= model.CanDeletePod
			w.neverReady("web-2", badRevision)
		}, "", "CAPABILITY_MISSING web-2, POD_NOT_READY web-2"},
	} {
		w := mended()
		row.change(w)
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", sortedBlocks(p), sortedText(row.held))
	}
}

// TestProofOfNeverReady: what the times of an unready pod prove.
func TestProofOfNeverReady(t *testing.T) {
	start := noon.Add(-time.Hour)
	for reason, row := range map[string]struct {
		status model.PodStatus
		want   bool
	}{
		"a kubelet that started it has written both times":         {model.PodStatus{Phase: model.PodRunning, StartedAt: start, ReadyChangedAt: start}, true},
		"the second may have ended between the two":                {model.PodStatus{Phase: model.PodPending, StartedAt: start, ReadyChangedAt: start.Add(-time.Second)}, true},
		"it became ready, or ceased to be":                         {model.PodStatus{Phase: model.PodRunning, StartedAt: start, ReadyChangedAt: start.Add(time.Second)}, false},
		"it may have been ready, and restarts its init containers": {model.PodStatus{Phase: model.PodPending, StartedAt: start, ReadyChangedAt: start.Add(time.Minute)}, false},
		"another clock has written one of them":                    {model.PodStatus{Phase: model.PodRunning, StartedAt: start, ReadyChangedAt: start.Add(-time.Minute)}, false},
		"no kubelet has seen it":                                   {model.PodStatus{Phase: model.PodPending}, true},
		"it runs, and there is no condition Ready":                 {model.PodStatus{Phase: model.PodRunning, StartedAt: start}, false},
		"it runs, and nothing is known":                            {model.PodStatus{Phase: model.PodRunning}, false},
		"pending, and a kubelet has said something":                {model.PodStatus{Phase: model.PodPending, StartedAt: start}, false},
		"of unknown phase, and nothing is known":                   {model.PodStatus{Phase: model.PodUnknown}, false},
		"an adapter that does not send the start":                  {model.PodStatus{Phase: model.PodPending, ReadyChangedAt: start}, false},
		"it is ready": {model.PodStatus{Phase: model.PodRunning, Ready: true, StartedAt: start, ReadyChangedAt: start}, false},
	} {
		if got := (&model.Pod{PodStatus: row.status}).NeverReady(); got != row.want {
			t.Errorf("%s: never ready is %v", reason, got)
		}
	}
}

// TestRepairSpeaks checks the texts of the action and the blocks, when to look again, and the counters.
func TestRepairSpeaks(t *testing.T) {
	w := mended()
	w.neverReady("web-2", badRevision)
	a := Decide(&w.Snapshot).Stages[0].Steps[0].Actions[0]
	want := model.Cause{Code: model.CauseRepair, Message: "The pod has never been ready at revision " + badRevision + " and would be recreated at " + goodRevision + "."}
	if a.Cause != want || a.UID != "uid-web-2" || a.ResourceVersion != "1" {
		t.Errorf("the action is %+v", a)
	}

	w.p("web-2").CreatedAt = noon.Add(-3 * time.Second)
	p := Decide(&w.Snapshot)
	b := p.Blocks[1]
	check(t, "too young", "message", b.Message, want.Message+" It is replaced once it is 10s old, unless it becomes ready first.")
	if p.RequeueAfter != 7*time.Second || !b.NotBefore.Equal(noon.Add(7*time.Second)) || b.Severity != model.Wait {
		t.Errorf("look again in %s; %+v", p.RequeueAfter, b)
	}
	if strings.Contains(p.Blocks[0].Remedy, "delete pod") {
		t.Errorf("the remedy asks for what the repair does: %s", p.Blocks[0].Remedy)
	}

	w.p("web-2").CreatedAt = noon.Add(-time.Hour)
	w.p("web-0").DeletedAt = noon
	p = Decide(&w.Snapshot)
	check(t, "another one goes", "message", p.Blocks[1].Message, want.Message+" It is replaced once pod web-0, which is being deleted, is gone.")

	w = mended()
	w.asks(policy.Repair, "Unready")
	w.wasReady("web-2", badRevision)
	a = Decide(&w.Snapshot).Stages[0].Steps[0].Actions[0]
	check(t, "it was ready", "cause", a.Cause.Message, "The pod is not ready at revision "+badRevision+" and would be recreated at "+goodRevision+".")

	w.asks(policy.Repair, "Sometimes")
	p = Decide(&w.Snapshot)
	if b := p.Blocks[1]; b.Code != model.BlockInvalidPolicy || !strings.Contains(b.Message, `setplan.io/repair is "Sometimes"`) || b.Severity != model.Attention {
		t.Errorf("%+v", b)
	}

	// Without rollingUpdate the next pod's revision follows from the counters, so the deleted pod is subtracted.
	w = mended()
	w.Set.RollingUpdate = nil
	w.Set.Status.CurrentRevision, w.Set.Status.CurrentReplicas = badRevision, 1
	w.without("web-1").without("web-2").neverReady("web-0", badRevision)
	if st := status(Decide(&w.Snapshot)); st == nil || st.CurrentReplicas != 0 {
		t.Errorf("status %+v, want no pod counted as current", st)
	}
}
