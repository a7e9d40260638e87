package forecast

import (
	"slices"
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// TestRefusedEviction: a budget that the snapshot shows to refuse an eviction goes on so until a pod becomes ready.
func TestRefusedEviction(t *testing.T) {
	s := edit(running(t, newSet(2)), func(set *model.Set) {
		set.PodTemplate, set.Annotations = image("web:2"), map[string]string{"setplan.io/disruption-budget": "Respect"}
	})
	steps, r := forecastOf(t, s, Options{})
	if r.Verdict != Converged || !slices.Contains(r.Assumptions, budgetsAllow) {
		t.Errorf("nobody has asked: %v %v", r.Verdict, r.Assumptions)
	}
	evicts := func(a model.Action) bool { return a.Op == model.Operation(model.EvictPod{}) }
	eviction := steps[0].Actions[slices.IndexFunc(steps[0].Actions, evicts)]
	s.Outcomes = []model.Outcome{{ActionID: eviction.ID, Result: model.OutcomeDisruptionBudget, Count: 1, Message: "no", TriedAt: noon}}
	_, r = forecastOf(t, s, Options{})
	held := slices.ContainsFunc(r.Blocks, func(b model.Block) bool { return b.Code == model.BlockDisruptionBudget && b.Name == eviction.Name })
	if r.Verdict != BlockedForEver || !held || len(r.Restarts) > 0 || !slices.Contains(r.Assumptions, budgetsStay) {
		t.Errorf("refused: %v %+v %v", r.Verdict, r.Blocks, r.Assumptions)
	}
	if worst := Worst(nil, s, Options{}); !worst.All || worst.PeakUnavailable != 0 {
		t.Errorf("refused, at worst: %+v", worst)
	}
	young := changePod(s, "web-0", func(p *model.Pod) { p.Ready, p.CreatedAt, p.StartedAt, p.ReadyChangedAt = false, noon, noon, noon })
	if _, r = forecastOf(t, young, Options{}); r.Verdict != Converged || r.restarts() != "web-1 web-0" {
		t.Errorf("until a pod is ready: %v %s %+v", r.Verdict, r.restarts(), r.Blocks)
	}
}
