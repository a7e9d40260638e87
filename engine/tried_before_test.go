package engine

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/policy"
)

// apiServer carries out plans as an adapter does, and refuses some writes for ever.
type apiServer struct {
	refuses func(a *model.Action) bool
	failed  map[string]model.Outcome
	did     []string // "verb name" of the writes of all plans that were allowed
}

// apply carries out one plan, and tells the world what failed.
func (api *apiServer) apply(w *world) {
	p := Decide(&w.Snapshot)
	planned, skipped, stopped := map[string]bool{}, map[model.Phase]bool{}, false
	for _, a := range allActions(p) {
		planned[a.ID] = true
	}
	for i := range p.Stages {
		stage := &p.Stages[i]
		if skipped[stage.Phase] || stopped && !stage.AlwaysRun || !api.applyStage(stage, w.ObservedAt) {
			continue
		}
		if stage.OnFailure == model.Abort {
			break
		}
		stopped, skipped[stage.Phase] = stopped || stage.OnFailure == model.Stop, skipped[stage.Phase] || stage.OnFailure == model.SkipPhase
	}
	w.Outcomes = nil
	for id, o := range api.failed {
		if !planned[id] && !p.Truncated && o.Result != model.OutcomeDisruptionBudget {
			delete(api.failed, id)
			continue
		}
		w.Outcomes = append(w.Outcomes, o)
	}
	w.ObservedAt = w.ObservedAt.Add(time.Minute)
}

// applyStage reports whether a step failed.
func (api *apiServer) applyStage(stage *model.Stage, now time.Time) (failed bool) {
	for _, step := range stage.Steps {
		for i := range step.Actions {
			a := &step.Actions[i]
			if a.Kind == model.KindPod && api.refuses(a) {
				api.failed[a.ID] = model.Outcome{ActionID: a.ID, Result: model.OutcomeRejected, Count: api.failed[a.ID].Count + 1, Message: "denied", TriedAt: now}
				failed = true
				break
			}
			delete(api.failed, a.ID)
			api.did = append(api.did, a.Op.Traits().Name+" "+a.Name)
		}
	}
	return failed
}

// after is what was done in so many passes, of which the world shows nothing.
func (api *apiServer) after(w *world, passes int) []string {
	api.failed, api.did = map[string]model.Outcome{}, nil
	for range passes {
		api.apply(w)
	}
	return api.did
}

// refusing refuses each write to a pod.
func refusing(pods ...string) *apiServer {
	return &apiServer{refuses: func(a *model.Action) bool { return slices.Contains(pods, a.Name) }}
}

// TestRefusedStarvesNobody: what the API server refuses for ever holds back nothing that does not build on it.
func TestRefusedStarvesNobody(t *testing.T) {
	respect := func(w *world) *world { return w.asks(policy.Budget, "Respect") }
	wide := func(w *world) *world { w.Set.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Count: 2}; return w }
	// corrected is a set whose lowest pod is of a bad template, and whose partition keeps it below the update.
	corrected := func(w *world, policy string) *world {
		w.Set.PodManagementPolicy = policy
		bad := w.revision(3, strings.Replace(template, "web:1", "bad", 1))
		w.revision(4, string(w.Set.PodTemplate))
		w.Set.RollingUpdate.Partition = 1
		w.Set.Status.CurrentRevision = w.Revisions[0].Name
		w.neverReady("web-0", bad)
		return w
	}
	for _, row := range []struct {
		name    string
		w       func() *world
		refused string
		want    string
	}{
		{"an eviction, and one is chosen", func() *world { return respect(updating()).chosen("web-0") }, "web-2", "evict-pod web-0"},
		{"a deletion, and one is chosen", func() *world { return updating().chosen("web-0") }, "web-2", "delete-pod web-0"},
		{"an eviction, and one is repaired", func() *world { return wide(corrected(respect(updating()), "Parallel")) }, "web-2", "delete-pod web-0"},
		{"a deletion, and one is repaired", func() *world { return wide(corrected(updating(), "Parallel")) }, "web-2", "delete-pod web-0"},
		{"a start in place, and one is chosen", func() *world {
			return resized(3, sized("1"), sized("2")).have("1", "web-0", "web-1", "web-2").settled().chosen("web-0")
		}, "web-2", "delete-pod web-0"},
		{"labels in place, and one is chosen", func() *world {
			return newWorld(3).parallel().asks(policy.InPlace, "InPlaceIfPossible").edited().settled().chosen("web-0")
		}, "web-2", "delete-pod web-0"},
		{"one that is chosen, and another one", func() *world { return newWorld(3).parallel().chosen("web-1", "web-2") }, "web-2", "delete-pod web-1"},
		{"one that is chosen, and the leader", func() *world {
			return newWorld(3).parallel().asks(policy.Rank, "role=primary").leads("web-1", "role=primary").chosen("web-1", "web-2")
		}, "web-2", ""},
		{"one that is repaired, and another one", func() *world {
			w := corrected(newWorld(3).edited(), "Parallel")
			w.Set.RollingUpdate.Partition = 3
			w.neverReady("web-2", w.Revisions[2].Name)
			return w
		}, "web-2", "delete-pod web-0"},
		{"in order, a creation, and one is repaired", func() *world {
			w := corrected(updating(), "OrderedReady").without("web-1")
			w.p("web-0").Ready, w.p("web-0").Revision = true, w.Revisions[0].Name
			w.neverReady("web-2", w.Revisions[2].Name)
			return w
		}, "web-1", "delete-pod web-2"},
		{"in order, a creation, and one has arrived", func() *world {
			w := resized(3, sized("1"), sized("2")).have("1", "web-0", "web-2").onTheWay(named(sized("2")), "web-2").ask("2", "web-2").get("web-2").without("web-1")
			w.Set.PodManagementPolicy = ""
			return w
		}, "web-1", "update-pod web-2"},
		{"a deletion outside the range", func() *world { w := newWorld(5).parallel(); w.Set.Replicas = 2; return w }, "web-4", "delete-pod web-3"},
		{"a deletion of one that has ended", func() *world {
			w := newWorld(3).parallel().without("web-2")
			w.p("web-0").Phase, w.p("web-0").Ready = model.PodFailed, false
			return w
		}, "web-0", "create-pod web-2"},
		{"in order, a deletion outside the range", func() *world { w := newWorld(5); w.Set.Replicas = 2; return w }, "web-4", ""},
		{"an update, and the next one", updating, "web-2", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			did := refusing(row.refused).after(row.w(), 4)
			did = slices.DeleteFunc(did, func(what string) bool { return strings.HasPrefix(what, "update-status") })
			if row.want == "" && len(did) > 0 || row.want != "" && !slices.Contains(did, row.want) {
				t.Errorf("%s: after 4 passes there is no %s, only %s", row.name, row.want, strings.Join(did, ", "))
			}
		})
	}
}

// TestRefusedMayBeMany: more writes are refused for ever than a phase of a plan has room for. Those behind them are allowed, and so is what comes later.
func TestRefusedMayBeMany(t *testing.T) {
	const all, good = 1_310, 1_300 // the lowest ones are allowed
	w := newWorld(all).parallel().chosen("web-0")
	w.Set.Replicas = 1
	api := &apiServer{refuses: func(a *model.Action) bool { return a.Op.Traits().Destructive && ordinalIn(a.Name) > all-good }}
	did := api.after(w, 16)
	for _, want := range []string{"delete-pod web-0", "delete-pod web-1", "delete-pod web-10"} {
		if !slices.Contains(did, want) {
			t.Errorf("after 16 passes %d deletions are known to be refused, and there is no %s", len(api.failed), want)
		}
	}
}

func ordinalIn(name string) (ordinal int) {
	fmt.Sscanf(name, "web-%d", &ordinal)
	return ordinal
}

// TestRefusedTakeTurns: of those that were refused, the one that was tried longest ago comes first. One that is refused for ever is then not always first,
// and the rest of its phase is not always left out.
func TestRefusedTakeTurns(t *testing.T) {
	w := newWorld(5).parallel()
	w.Set.Replicas = 2
	once := map[string]bool{}
	api := &apiServer{refuses: func(a *model.Action) bool {
		again := once[a.Name]
		once[a.Name] = true
		return a.Name == "web-4" || !again
	}}
	if did := api.after(w, 8); !slices.Contains(did, "delete-pod web-3") || !slices.Contains(did, "delete-pod web-2") {
		t.Errorf("two were refused once, and are not deleted: %s", strings.Join(did, ", "))
	}
}

// TestRefusedCreationsAreFew: a quota refuses all pods of a set. Each plan asks it about the first two, beside a pod that is there.
func TestRefusedCreationsAreFew(t *testing.T) {
	w := newWorld(1).parallel()
	w.Set.Replicas = 50
	requests := 0
	api := &apiServer{refuses: func(a *model.Action) bool { requests++; return true }}
	if api.after(w, 6); requests != 12 || len(api.failed) != 2 {
		t.Errorf("in 6 plans there were %d requests, and %d refusals are remembered", requests, len(api.failed))
	}
}

// TestTurnsTakeOne: whoever takes the turn of a pod that was refused, one pod goes in a plan, and a block still says what was refused.
func TestTurnsTakeOne(t *testing.T) {
	w := updating().asks(policy.Budget, "Respect").chosen("web-0")
	api := refusing("web-2")
	api.after(w, 1)
	p := Decide(&w.settled().Snapshot)
	check(t, "the chosen one", "goes", strings.Join(deletions(p), ", "), "evict-pod web-0@1")
	check(t, "the chosen one", "blocks", sortedBlocks(p), "ACTION_FAILED_BEFORE web-2, UPDATE_BUDGET web-1")
	checkPlan(t, &w.Snapshot, p)
}

// TestTurnsOfRefused: where both were refused, the one that was tried longest ago has the turn.
func TestTurnsOfRefused(t *testing.T) {
	w := updating().chosen("web-0")
	for range 2 {
		for _, a := range allActions(Decide(&w.Snapshot)) {
			if a.Kind == model.KindPod {
				w.Outcomes = append(w.Outcomes, model.Outcome{ActionID: a.ID, Result: model.OutcomeRejected, TriedAt: noon})
			}
		}
	}
	for later, want := range []string{"delete-pod web-0@1", "delete-pod web-2"} {
		for i := range w.Outcomes {
			w.Outcomes[i].TriedAt = noon
		}
		w.Outcomes[later].TriedAt = noon.Add(time.Second)
		check(t, "two were refused", "goes", strings.Join(deletions(Decide(&w.Snapshot)), ", "), want)
	}
}

// TestStuckBehindReleases: a pod that is repaired waits for the release of a claim that would go with it, whatever else has failed before.
func TestStuckBehindReleases(t *testing.T) {
	out := plan.Begin(&model.Snapshot{Outcomes: []model.Outcome{{ActionID: "a"}}}, plan.NewCaller(nil))
	failing := []model.Step{{Actions: []model.Action{{ID: "a"}}}}
	out.Add(model.Stage{Phase: model.PhaseReplicas, Steps: failing, OnFailure: model.SkipPhase})
	if out.Stuck() {
		t.Error("nothing waits for a stage whose failure stops nobody")
	}
	out.Add(model.Stage{Phase: model.PhaseReplicas, Steps: failing, OnFailure: model.Stop})
	if !out.Stuck() {
		t.Error("what waits for a stage that fails each time does not run")
	}
	out.Plan.Stages = append([]model.Stage{{Phase: model.PhaseOwnership, Steps: []model.Step{{Actions: []model.Action{{ID: "b"}}}}, OnFailure: model.Stop}}, out.Plan.Stages...)
	if out.Stuck() {
		t.Error("a pod goes although the release of its claim may have failed")
	}
}

// TestRefusedAsUpstream: under KUBERNETES_1_36, what a plan does is the same whatever has failed before.
func TestRefusedAsUpstream(t *testing.T) {
	smaller := func(w *world) *world { w.Set.Replicas = 2; return w }
	for name, make := range map[string]func() *world{
		"an update":             updating,
		"Parallel, scaled down": func() *world { return smaller(newWorld(5).parallel()) },
		"in order, scaled down": func() *world { return smaller(newWorld(5)) },
		"missing":               func() *world { return newWorld(5).parallel().without("web-1").without("web-2") },
	} {
		w := make()
		w.Rules = model.Kubernetes136()
		before := Decide(&w.Snapshot)
		for _, a := range allActions(before) {
			w.Outcomes = []model.Outcome{{ActionID: a.ID, Result: model.OutcomeRejected, Count: 1, Message: "denied", TriedAt: noon}}
			if after := Decide(&w.Snapshot); !reflect.DeepEqual(before.Stages, after.Stages) {
				t.Errorf("%s: %s\nis after a refusal of %s %s", name, Describe(before), a.ID, Describe(after))
			}
		}
	}
}

// TestStatusOfARefusedDeletion: the status counts what is seen, where a deletion for an update was refused: neither that pod is gone, nor those that would be
// deleted after it.
func TestStatusOfARefusedDeletion(t *testing.T) {
	w := updating()
	w.Set.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Count: 2}
	if got := status(Decide(&w.Snapshot)).CurrentReplicas; got != 1 {
		t.Errorf("two are deleted, and %d stay", got)
	}
	refusing("web-2").after(w, 1)
	if got := status(Decide(&w.Snapshot)).CurrentReplicas; got != 3 {
		t.Errorf("the first deletion was refused, and the status says that %d stay", got)
	}
}
