package engine

import (
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/setstatus"
)

// TestResizeWrites: what the writes say of a pod that is sent from one revision to another and on, with a sidecar, and with amounts of which some are
// new. Each row begins with what the one before has written.
func TestResizeWrites(t *testing.T) {
	text := func(web, side string) string {
		return `{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"log:1","name":"log"},{"image":"web:1","name":"web","resources":` + web + `}],` +
			`"initContainers":[{"image":"init:1","name":"init"},{"image":"side:1","name":"side","resources":` + side + `,"restartPolicy":"Always"}]}}`
	}
	const web1, web2, web3, side1, side2 = `{"limits":{"cpu":"1","memory":"1Gi"}}`, `{"limits":{"cpu":"2","memory":"1Gi"}}`, `{"limits":{"cpu":"2","memory":"2Gi"}}`,
		`{"requests":{"cpu":"1"}}`, `{"requests":{"cpu":2,"memory":"1Gi"}}`
	w := resized(1, text(web1, side1), text(web1, side1)).asks(policy.InPlace, "InPlaceOnly")
	w.answers(inplace.AnnotationUpdate, inplace.NothingUnderWay, "web-0")
	p := w.p("web-0")
	of := &model.PodContainers{Generation: 1, ObservedGeneration: 1, Containers: []model.Container{running("log", "log:1", 1), running("web", "web:1", 1)},
		Init: []model.Container{{Name: "init", Image: "init:1"}, running("side", "side:1", 1)}}
	p.Containers = of
	web, side := &of.Containers[1], &of.Init[1]
	of.Containers[0].StatusResources, web.StatusResources = &model.Resources{}, &model.Resources{}
	web.Resources = model.Resources{Requests: model.Amounts{CPU: "1", Memory: "1Gi"}, Limits: model.Amounts{CPU: "1", Memory: "1Gi"}}
	side.Resources.Requests.CPU = "1"
	for _, row := range []struct {
		reason, web, side string
		before            func()
		record, write     string
	}{
		{"a limit brings its request", web2, side1, func() {},
			`"resize":{"web":{"limits":{"cpu":"1"},"requests":{"cpu":"1"}}}`, "web.limits.cpu=2 web.requests.cpu=2"},
		{"what differs now is added, what there was stays", web3, side2, func() {},
			`"resize":{"side":{"requests":{"cpu":"1","memory":""}},"web":{"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"1","memory":"1Gi"}}}`,
			"side.requests.cpu=2 side.requests.memory=1Gi web.limits.memory=2Gi web.requests.memory=2Gi"},
		{"back in part: what the spec shows now is what there was", web2, side2, func() {},
			`"resize":{"side":{"requests":{"cpu":"1","memory":""}},"web":{"limits":{"cpu":"1","memory":"2Gi"},"requests":{"cpu":"1","memory":"2Gi"}}}`,
			"web.limits.memory=1Gi web.requests.memory=1Gi"},
		{"somebody else has changed one of two", web3, side2, func() { web.Resources.Limits.CPU = "7" },
			`"resize":{"side":{"requests":{"cpu":"1","memory":""}},"web":{"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"1","memory":"1Gi"}}}`,
			"web.limits.memory=2Gi web.requests.memory=2Gi"},
	} {
		w.next(text(row.web, row.side))
		row.before()
		started := onlyWrite(t, w).(model.UpdatePod)
		note := started.Annotations[0].Value
		check(t, row.reason, "record", note[strings.Index(note, `"resize"`):strings.LastIndex(note, `,"revision"`)], row.record)
		if len(started.Containers)+len(started.InitContainers) > 0 {
			t.Errorf("%s: a start without images names containers: %+v", row.reason, started)
		}
		w.answers(inplace.AnnotationUpdate, note, "web-0")
		op := onlyWrite(t, w).(model.ResizePod)
		check(t, row.reason, "write", detailOf(op), " ["+row.write+"]")
		for _, list := range [][]model.ContainerResize{op.Containers, op.InitContainers} {
			if len(list) > 0 && len(list) != 2 {
				t.Errorf("%s: %d containers of 2", row.reason, len(list))
			}
			for _, c := range list {
				for _, shown := range []*model.Container{web, side} {
					for key := range model.Resizable {
						if quantity := *model.Resizable[key].Of(&c.Resources); shown.Name == c.Name && quantity != "" {
							*model.Resizable[key].Of(&shown.Resources) = quantity
						}
					}
				}
			}
		}
		of.Generation++
	}
}

// onlyWrite is the one operation on pods of a plan.
func onlyWrite(t *testing.T, w *world) (op model.Operation) {
	t.Helper()
	plan := Decide(&w.settled().Snapshot)
	for _, a := range allActions(plan) {
		if a.Kind == model.KindPod {
			if op != nil {
				t.Fatalf("more than one write:\n%s", Describe(plan))
			}
			op = a.Op
		}
	}
	if op == nil {
		t.Fatalf("no write:\n%s", Describe(plan))
	}
	return op
}

// TestCountsWhileResizing: a pod that gets resources while it runs is as available as any, and not updated. One whose containers start again for that is
// not available.
func TestCountsWhileResizing(t *testing.T) {
	way := func(w *world) *world {
		return w.have("1", "web-0", "web-1", "web-2").onTheWay(w.Revisions[1].Name, "web-2").ask("2", "web-2")
	}
	for reason, row := range map[string]struct {
		w                  *world
		available, updated int32
	}{
		"it runs on":                 {way(resized(3, sized("1"), sized("2"))), 3, 0},
		"it starts again":            {way(resized(3, startsSized("1"), startsSized("2"))).startsOf("web-2"), 2, 0},
		"it has restarted":           {way(resized(3, startsSized("1"), startsSized("2"))).startsOf("web-2").get("web-2"), 3, 0},
		"it is there, and says so":   {resized(3, sized("1"), sized("2")).have("2", "web-2").atNewest("web-2"), 3, 1},
		"it is on its way back":      {way(resized(3, sized("1"), sized("2"))).next(sized("1")), 3, 2},
		"its node has no room":       {way(resized(3, sized("1"), sized("2"))).refuses("Deferred", "web-2", time.Minute), 3, 0},
		"it waits, and is not ready": {way(resized(3, sized("1"), sized("2"))).unready("web-2"), 2, 0},
	} {
		v, _, _, _ := seen(t, row.w)
		if st := setstatus.CountPlaced(&v.Claims); st.AvailableReplicas != row.available || st.UpdatedReplicas != row.updated {
			t.Errorf("%s: %d available, %d updated, want %d, %d", reason, st.AvailableReplicas, st.UpdatedReplicas, row.available, row.updated)
		}
	}
}

// TestRefusedResizeIsTold: the block has the kubelet's words, since when, and what happens next; and the plan is made again when that is due.
func TestRefusedResizeIsTold(t *testing.T) {
	for asked, row := range map[string]struct{ ends, remedy string }{
		"":         {" The update waits for it.", "Make room on the node, or revert the change, or recreate this pod: `kubectl -n default annotate pod web-2 setplan.io/recreate=true --overwrite`"},
		"Recreate": {" It is recreated when its turn comes.", "To keep it, revert the change, or set the annotation setplan.io/resize-deferred to Wait."},
		"Keep":     {" The update of the other pods does not wait for it.", "Make room on the node, or revert the change, or set the annotation setplan.io/resize-deferred to Wait to make them wait."},
		"1h":       {" It is recreated when its turn comes.", "To keep it, revert the change, or set the annotation setplan.io/resize-deferred to Wait."},
	} {
		w := resized(3, sized("1"), sized("2")).have("1", "web-2").onTheWay(named(sized("2")), "web-2").since("web-2", 10*time.Minute).ask("2", "web-2").refuses("Deferred", "web-2", 5*time.Minute)
		w.asks(policy.Deferred, asked)
		plan := Decide(&w.Snapshot)
		for _, b := range plan.Blocks {
			if b.Code != model.BlockResizeDeferred {
				continue
			}
			check(t, asked, "message", b.Message, "The pod is being updated in place to revision "+named(sized("2"))+
				", but its node has no room for the new resources now. The kubelet says: Node didn't have enough resource: cpu."+row.ends)
			check(t, asked, "remedy", b.Remedy, row.remedy)
			if !b.Since.Equal(noon.Add(-5*time.Minute)) || b.NotBefore.IsZero() == (asked == "1h") || b.Severity != model.Wait {
				t.Errorf("%q: since %s, not before %s, %s", asked, b.Since, b.NotBefore, b.Severity)
			}
		}
		if again := plan.RequeueAfter; (again == 55*time.Minute) != (asked == "1h") {
			t.Errorf("%q: look again in %s", asked, again)
		}
	}
}

// TestLaterSpecRefused: a plan is asked for when a kubelet that knows of a later spec than the one that it has judged has had its time.
func TestLaterSpecRefused(t *testing.T) {
	w := resized(3, sized("1"), sized("2")).have("1", "web-2").onTheWay(named(sized("2")), "web-2").since("web-2", time.Minute).ask("2", "web-2")
	w.refuses("Infeasible", "web-2", time.Minute).relooked("web-2")
	if again := Decide(&w.Snapshot).RequeueAfter; again != time.Minute {
		t.Errorf("look again in %s", again)
	}
}

// TestFailedResizeIsTold: that a runtime fails is not taken for a lack of room.
func TestFailedResizeIsTold(t *testing.T) {
	w := resized(3, sized("1"), sized("2")).have("1", "web-2").onTheWay(named(sized("2")), "web-2").ask("2", "web-2").refuses("", "web-2", time.Minute).errs("web-2")
	w.p("web-2").Containers.ResizeInProgress.Message = "cgroup is busy"
	for _, b := range Decide(&w.Snapshot).Blocks {
		if b.Code == model.BlockResizeDeferred {
			check(t, "failed", "message", b.Message, "The pod is being updated in place to revision "+named(sized("2"))+
				", but its node has failed to apply the new resources. The kubelet says: cgroup is busy. The update waits for it.")
			check(t, "failed", "remedy", b.Remedy, "Find out why on the node, or revert the change, or recreate this pod: `kubectl -n default annotate pod web-2 setplan.io/recreate=true --overwrite`")
			return
		}
	}
	t.Error("nothing is told")
}

// TestNodeTooSmall: what the API server has answered to this attempt decides about the pod, and nothing else does. No wait of the plan is lost.
func TestNodeTooSmall(t *testing.T) {
	const asked, tells = "resize-pod web-2", "ACTION_FAILED_BEFORE"
	for name, row := range map[string]struct {
		result         model.OutcomeResult
		at             time.Time
		policy         string
		writes, blocks string
		again          time.Duration
	}{
		"recreated":                  {model.OutcomeNodeCapacity, noon, "", "delete-pod web-2", "RESIZE_INFEASIBLE", 5 * time.Minute},
		"waits":                      {model.OutcomeNodeCapacity, noon.Add(-20 * time.Second), "Wait", "", "RESIZE_INFEASIBLE", 280 * time.Second},
		"asked again":                {model.OutcomeNodeCapacity, noon.Add(-5 * time.Minute), "Wait", asked, "RESIZE_INFEASIBLE", 0},
		"a clock that was set back":  {model.OutcomeNodeCapacity, noon.Add(time.Hour), "Wait", asked, "RESIZE_INFEASIBLE", 0},
		"an attempt before this one": {model.OutcomeNodeCapacity, noon.Add(-2 * time.Hour), "", asked, "", 0},
		"when is not told":           {model.OutcomeNodeCapacity, time.Time{}, "", asked, tells, 0},
		"another refusal":            {model.OutcomeRejected, noon, "", asked, tells, 0},
	} {
		w := resized(3, sized("1"), sized("2")).have("1", "web-2").onTheWay(named(sized("2")), "web-2").since("web-2", time.Hour)
		w.asks(policy.Infeasible, row.policy)
		id := ""
		for _, stage := range Decide(&w.Snapshot).Stages {
			for _, step := range stage.Steps {
				for _, a := range step.Actions {
					if _, resizes := a.Op.(model.ResizePod); resizes {
						id = a.ID
					}
				}
			}
		}
		w.Outcomes = []model.Outcome{{ActionID: id, Result: row.result, Count: 1, Message: "node didn't have enough allocatable resources", TriedAt: row.at}}
		plan := Decide(&w.Snapshot)
		var written, blocks []string
		for action := range strings.SplitSeq(actions(plan), ", ") {
			if strings.HasSuffix(action, " web-2") {
				written = append(written, action)
			}
		}
		for _, b := range plan.Blocks {
			if b.Name == "web-2" {
				blocks = append(blocks, b.Code.String())
			}
		}
		check(t, name, "writes", strings.Join(written, ", "), row.writes)
		check(t, name, "blocks", strings.Join(blocks, ", "), row.blocks)
		if plan.RequeueAfter != row.again {
			t.Errorf("%s: look again in %s, want %s", name, plan.RequeueAfter, row.again)
		}
	}
}
