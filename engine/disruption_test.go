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

// updating is a Parallel set of three whose pods are outdated.
func updating() *world {
	w := newWorld(3).parallel().image("web:2")
	w.revision(2, strings.Replace(template, "web:1", "web:2", 1))
	return w
}

// refused tells a world that a budget has not allowed what its plan wants, some time ago.
func (w *world) refused(t *testing.T, ago time.Duration, count int32) {
	t.Helper()
	for _, stage := range Decide(&w.settled().Snapshot).Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if a.Op == model.Operation(model.EvictPod{}) {
					w.Outcomes = append(w.Outcomes, model.Outcome{ActionID: a.ID, Result: model.OutcomeDisruptionBudget, Count: count, Message: "guard", TriedAt: w.ObservedAt.Add(-ago)})
					return
				}
			}
		}
	}
	t.Fatal("nothing is evicted")
}

// rejected tells a world that the API server has not allowed what its plan wants, for another reason than a budget.
func (w *world) rejected(t *testing.T) {
	t.Helper()
	w.refused(t, time.Minute, 50)
	w.Outcomes[0].Result, w.Outcomes[0].Message = model.OutcomeRejected, "denied"
}

// TestDisruptionBudgets: what need not go is evicted if it is ready, and deleted as it was seen if it is not.
func TestDisruptionBudgets(t *testing.T) {
	broad := func(w *world) { w.Set.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Count: 3} }
	respect := func(w *world) { w.asks(policy.Budget, "Respect") }
	scaledDown := func(w *world) { w.asks(policy.Budget, "Respect").atNewest("web-0", "web-1"); w.Set.Replicas = 2 }
	tests := []struct {
		name         string
		edit         func(t *testing.T, w *world)
		want, blocks string
	}{
		{"nobody asks", func(*testing.T, *world) {}, "delete-pod web-2", "UPDATE_BUDGET web-1"},
		{"ignored", func(_ *testing.T, w *world) { w.asks(policy.Budget, "Ignore") }, "delete-pod web-2", "UPDATE_BUDGET web-1"},
		{"respected", func(_ *testing.T, w *world) { respect(w) }, "evict-pod web-2", "UPDATE_BUDGET web-1"},
		{"odd", func(_ *testing.T, w *world) { w.asks(policy.Budget, "respect") }, "evict-pod web-2", "INVALID_POLICY web, UPDATE_BUDGET web-1"},
		{"a broken pod", func(_ *testing.T, w *world) { respect(w); w.unready("web-1") }, "delete-pod web-1@1", "POD_NOT_READY web-1, UPDATE_BUDGET web-2"},
		{"refused", func(t *testing.T, w *world) { respect(w); w.refused(t, 9*time.Second, 1) }, "none", "DISRUPTION_BUDGET web-2"},
		{"asked again", func(t *testing.T, w *world) { respect(w); w.refused(t, 10*time.Second, 1) }, "evict-pod web-2", "DISRUPTION_BUDGET web-2, UPDATE_BUDGET web-1"},
		{"refused thrice", func(t *testing.T, w *world) { respect(w); w.refused(t, 29*time.Second, 3) }, "none", "DISRUPTION_BUDGET web-2"},
		{"refused often", func(t *testing.T, w *world) { respect(w); w.refused(t, 30*time.Second, 99) }, "evict-pod web-2", "DISRUPTION_BUDGET web-2, UPDATE_BUDGET web-1"},
		{"a clock went back", func(t *testing.T, w *world) { respect(w); w.refused(t, -time.Hour, 1) }, "evict-pod web-2", "DISRUPTION_BUDGET web-2, UPDATE_BUDGET web-1"},
		{"it is ignored meanwhile", func(t *testing.T, w *world) { respect(w); w.refused(t, 0, 1); w.asks(policy.Budget, "Ignore") }, "delete-pod web-2", "UPDATE_BUDGET web-1"},
		{"several", func(_ *testing.T, w *world) { respect(w); broad(w) }, "evict-pod web-2, evict-pod web-1, evict-pod web-0", ""},
		{"others keep their turn", func(t *testing.T, w *world) { respect(w); broad(w); w.refused(t, 0, 1) }, "none", "DISRUPTION_BUDGET web-2"},
		{"but a broken one does not wait", func(t *testing.T, w *world) { respect(w); w.refused(t, 0, 1); broad(w); w.unready("web-0") }, "delete-pod web-0@1", "DISRUPTION_BUDGET web-2, POD_NOT_READY web-0"},
		{"rejected, several", func(t *testing.T, w *world) { respect(w); w.rejected(t); broad(w) }, "evict-pod web-2", "ACTION_FAILED_BEFORE web-2"},
		{"rejected, and a broken one", func(t *testing.T, w *world) { respect(w); w.rejected(t); broad(w); w.unready("web-0") }, "delete-pod web-0@1, evict-pod web-2",
			"ACTION_FAILED_BEFORE web-2, POD_NOT_READY web-0"},
		{"without maxUnavailable", func(_ *testing.T, w *world) { respect(w); w.Rules.MaxUnavailable = false }, "evict-pod web-2", ""},
		{"by ranks, as it was seen", func(_ *testing.T, w *world) {
			respect(w)
			w.asks(policy.Rank, "role=primary").leads("web-2", "role=primary")
		}, "evict-pod web-1@1", ""},
		{"chosen", func(_ *testing.T, w *world) {
			respect(w)
			w.atNewest("web-0", "web-1", "web-2").p("web-1").Annotations = &model.Annotations{Values: map[string]string{state.AnnotationRecreate: "true"}}
		}, "evict-pod web-1@1", ""},
		{"scaled down", func(_ *testing.T, w *world) { scaledDown(w) }, "evict-pod web-2", ""},
		{"scaled down, refused", func(t *testing.T, w *world) { scaledDown(w); w.refused(t, 0, 1) }, "none", "DISRUPTION_BUDGET web-2"},
		{"scaled down, broken", func(_ *testing.T, w *world) { scaledDown(w); w.unready("web-2") }, "delete-pod web-2@1", ""},
		{"the adapter cannot", func(_ *testing.T, w *world) { respect(w); w.Capabilities &^= model.CanEvictPod }, "none", "CAPABILITY_MISSING web-2"},
		{"the adapter cannot, and need not", func(_ *testing.T, w *world) { respect(w); w.Capabilities &^= model.CanEvictPod; w.unready("web-1") }, "delete-pod web-1@1", "POD_NOT_READY web-1, UPDATE_BUDGET web-2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := updating()
			tt.edit(t, w)
			p := Decide(&w.settled().Snapshot)
			got := strings.Join(deletions(p), ", ")
			if got == "" {
				got = "none"
			}
			check(t, tt.name, "actions", got, tt.want)
			check(t, tt.name, "blocks", sortedBlocks(p), tt.blocks)
			checkPlan(t, &w.Snapshot, p)
		})
	}
}

// TestRefusalIsTold: the block has the API server's words, and the plan says when the budget is asked again.
func TestRefusalIsTold(t *testing.T) {
	w := updating()
	w.asks(policy.Budget, "Respect")
	w.refused(t, 4*time.Second, 2)
	p := Decide(&w.settled().Snapshot)
	if p.RequeueAfter != 16*time.Second {
		t.Errorf("it is asked again in %s", p.RequeueAfter)
	}
	text := Describe(p)
	if !strings.Contains(text, "wait DISRUPTION_BUDGET Pod web-2: ") || !strings.Contains(text, "The API server said: guard. Not before") {
		t.Error(text)
	}
}

// TestStatusWaitsForEviction: the status counts what is evicted, so it is written only if the eviction was allowed.
func TestStatusWaitsForEviction(t *testing.T) {
	for respects, always := range map[string]bool{"Ignore": true, "Respect": false} {
		w := updating().asks(policy.Budget, respects)
		stages := Decide(&w.Snapshot).Stages
		if last := stages[len(stages)-1]; last.Phase != model.PhaseStatus || last.AlwaysRun != always {
			t.Errorf("%s: the last stage is %s, and runs whatever becomes of the pod: %t", respects, last.Phase, last.AlwaysRun)
		}
	}
}

// TestStatusOfARejectedEviction: an eviction that fails each time, because of a webhook for instance, does not keep the status from being
// written, and the status counts neither the pod as gone nor those that would be evicted after it.
func TestStatusOfARejectedEviction(t *testing.T) {
	for _, row := range []struct {
		failed bool
		most   int32
		want   string
	}{{false, 1, "false 2"}, {true, 1, "true 3"}, {false, 3, "false 0"}, {true, 3, "true 3"}} {
		w := updating().asks(policy.Budget, "Respect")
		if row.failed {
			w.rejected(t)
		}
		w.Set.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Count: row.most}
		got := ""
		w.Set.Generation++ // so there is a status to write
		for _, stage := range Decide(&w.Snapshot).Stages {
			if stage.Phase == model.PhaseStatus {
				op := stage.Steps[0].Actions[0].Op.(model.UpdateStatus)
				got = fmt.Sprint(stage.AlwaysRun, " ", op.Status.CurrentReplicas)
			}
		}
		if got != row.want {
			t.Errorf("%+v: got %s", row, got)
		}
	}
}

// TestGateOrderAfterRefusal: a pod that nobody has agreed to holds back those after it, also where a budget has refused one before it.
func TestGateOrderAfterRefusal(t *testing.T) {
	w := updating().asks(policy.Budget, "Respect").asks(policy.Before, "agent").agrees(policy.Before, "web-2").agrees(policy.Before, "web-0")
	w.Set.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Count: 3}
	w.unready("web-1").unready("web-0")
	w.refused(t, 0, 1)
	if got := deletions(Decide(&w.settled().Snapshot)); len(got) > 0 {
		t.Error(got)
	}
}
