package engine

import (
	"flag"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// init sets more runs than rapid's default, no failure files (the output has the seed), and one seed: a test that guards every change must
// give the same result for the same code. `make search WHAT=random` takes other seeds.
func init() {
	for name, value := range map[string]string{"rapid.checks": "2000", "rapid.nofailfile": "true", "rapid.seed": "1"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
}

// TestDecideProperties draws usual snapshots and ones that no API server would send, and checks every plan for what must be true of any
// plan. Worlds that live on are tested in test/story and test/faults.
func TestDecideProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSnapshot(t)
		p := Decide(s)
		checkPlan(t, s, p)
		if again := Decide(s); !reflect.DeepEqual(p, again) {
			t.Fatalf("the same snapshot gave another plan:\n%s\n%s", Describe(p), Describe(again))
		}
		shuffle(s, rapid.Int64().Draw(t, "shuffle"))
		shareNotes(s)
		if other := Decide(s); !reflect.DeepEqual(p, other) {
			t.Fatalf("another order, or annotations that are shared, gave another plan:\n%s\n%s", Describe(p), Describe(other))
		}
	})
}

func shuffle(s *model.Snapshot, seed int64) {
	r := rand.New(rand.NewSource(seed))
	r.Shuffle(len(s.Pods), reflect.Swapper(s.Pods))
	r.Shuffle(len(s.Claims), reflect.Swapper(s.Claims))
	r.Shuffle(len(s.Revisions), reflect.Swapper(s.Revisions))
	r.Shuffle(len(s.Outcomes), reflect.Swapper(s.Outcomes))
}

// failer is a *testing.T or a *rapid.T.
type failer interface {
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// checkOrder: stages come in the order of their phases, except that the last one may be the drain's, for the finalizer.
func checkOrder(t failer, p *model.Plan) {
	for i := 1; i < len(p.Stages); i++ {
		phase, before := p.Stages[i].Phase, p.Stages[i-1].Phase
		if phase < before && !(phase == model.PhaseDrain && i == len(p.Stages)-1) {
			t.Fatalf("a stage of %s comes after one of %s", phase, before)
		}
	}
}

// checkPlan checks every plan: invariants 1, 5, 7 and 8 of test/invariants/README.md, as far as one plan can show them.
func checkPlan(t failer, s *model.Snapshot, p *model.Plan) {
	names := map[string]bool{}
	ours := map[string]bool{}
	for i := range s.Pods {
		names[model.KindPod+s.Pods[i].Name] = true
		c := state.ControllerOf(s.Pods[i].Owners)
		ours[s.Pods[i].UID] = c == nil || c.UID == s.Set.UID
	}
	for i := range s.Claims {
		names[model.KindClaim+s.Claims[i].Name] = true
	}
	for i := range s.Revisions {
		names[model.KindRevision+s.Revisions[i].Name] = true
	}
	ids := map[string]bool{}
	for _, stage := range p.Stages {
		if len(stage.Steps) == 0 || stage.OnFailure == 0 || stage.Phase == 0 {
			t.Fatalf("a stage is empty or has no phase: %+v", stage)
		}
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				switch {
				case ids[a.ID]:
					t.Fatalf("two actions are called %s", a.ID)
				case a.MustNotExist && names[a.Kind+a.Name]:
					t.Fatalf("%s is created although it exists", a.Name)
				case a.MustNotExist == (a.UID != ""):
					t.Fatalf("%s has no precondition, or two", a.ID)
				case a.Kind == model.KindPod && !a.MustNotExist && !ours[a.UID]:
					t.Fatalf("%s touches a pod that somebody else controls", a.ID)
				case a.Cause.Code == 0 || a.Cause.Message == "":
					t.Fatalf("%s has no cause", a.ID)
				}
				if a.Cause.Code == model.CauseRepair {
					checkRepair(t, s, p, &a)
				}
				_, statusOnly := a.Op.(model.UpdateStatus)
				kept := strings.Contains(a.Cause.Message, "the retention policy keeps the claim") || strings.Contains(a.Cause.Message, "The drain policy covers the claim")
				released := kept && len(s.Set.Finalizers) > 0
				if !s.Set.DeletedAt.IsZero() && s.Rules.DeletingSetStatusOnly && !statusOnly && !released && !slices.Contains(s.Set.Finalizers, model.FinalizerDrain) {
					t.Fatalf("%s is planned for a set that is being deleted", a.ID)
				}
				if _, claim := a.Op.(model.DeleteClaim); claim && (!wasDrained(s, a.UID) || a.ResourceVersion == "") {
					t.Fatalf("%s: the claim was not drained, or may have changed since: %+v", a.ID, a)
				}
				if unknown := s.Set.Annotations[ofTomorrow] != ""; unknown && deletesForGood(stage.Phase, &a) {
					t.Fatalf("%s: an unknown annotation may forbid it", a.ID)
				}
				ids[a.ID] = true
			}
		}
	}
	checkOrder(t, p)
	for _, b := range p.Blocks {
		if b.Code == 0 || b.Severity == 0 || b.Message == "" || b.Name == "" {
			t.Fatalf("a block says nothing: %+v", b)
		}
	}
	if p.Converged && len(p.Stages) > 0 {
		t.Fatal("a plan with actions is called converged")
	}
	if !p.Converged && len(p.Stages) == 0 && len(p.Blocks) == 0 && p.RequeueAfter == 0 {
		t.Fatal("an empty plan does not explain itself")
	}
}

// checkRepair: a repair deletes no ready pod, and the plan deletes no other replica of the range. A drain pod is no replica.
func checkRepair(t failer, s *model.Snapshot, p *model.Plan, repair *model.Action) {
	for i := range s.Pods {
		if pod := &s.Pods[i]; pod.UID == repair.UID && (pod.Ready || pod.Terminating()) {
			t.Fatalf("%s repairs a pod that is ready, or terminating already", repair.ID)
		}
	}
	for _, stage := range p.Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				_, deletes := a.Op.(model.DeletePod)
				if deletes && a.ID != repair.ID && stage.Phase != model.PhaseScaleDown && stage.Phase != model.PhaseDrain {
					t.Fatalf("%s goes beside the repair %s", a.ID, repair.ID)
				}
			}
		}
	}
	if s.Set.StrategyType == "OnDelete" || !s.Set.DeletedAt.IsZero() || s.Policy.Repair == model.RepairNever ||
		s.Policy.Repair == model.RepairUnspecified && s.Set.Annotations[policy.Repair] == "Never" {
		t.Fatalf("%s is planned where nothing is repaired", repair.ID)
	}
}

// ofTomorrow is an annotation of a later release.
const ofTomorrow = "setplan.io/of-tomorrow"

// deletesForGood reports whether an action deletes something that is not recreated.
func deletesForGood(phase model.Phase, a *model.Action) bool {
	switch op := a.Op.(type) {
	case model.DeletePod:
		return phase == model.PhaseScaleDown || phase == model.PhaseDrain
	case model.SetFinalizer:
		return !op.Present
	case model.SetClaimOwners:
		return phase == model.PhaseCondemnedClaims
	case model.DeleteClaim:
		return true
	}
	return false
}

func drawSnapshot(t *rapid.T) *model.Snapshot {
	pick := func(name string, values ...string) string { return rapid.SampledFrom(values).Draw(t, name) }
	w := newWorld(0)
	w.Rules = rapid.SampledFrom([]model.Rules{model.Setplan(), model.Kubernetes136(), model.Kubernetes137()}).Draw(t, "rules")
	w.Set.Annotations = map[string]string{policy.Repair: pick("repair", "", "", "Never", "NeverReady", "Unready", "odd"),
		policy.InPlace: pick("in place", "", "", "InPlaceIfPossible", "InPlaceOnly")}
	if rapid.IntRange(0, 5).Draw(t, "of tomorrow") == 0 {
		w.asks(ofTomorrow, "x")
	}
	w.Policy.Repair = rapid.SampledFrom([]model.Repair{0, 0, 0, model.RepairNever, model.RepairNeverReady, model.RepairUnready}).Draw(t, "typed repair")
	w.Set.Replicas = rapid.Int32Range(0, 6).Draw(t, "replicas")
	w.Set.OrdinalsStart = rapid.SampledFrom([]int32{0, 0, 0, 2, 2147483640}).Draw(t, "start")
	w.Set.PodManagementPolicy = pick("policy", "", "OrderedReady", "Parallel", "Parallel", "odd")
	w.Set.StrategyType = pick("strategy", "", "RollingUpdate", "OnDelete", "Recreate", "odd")
	w.Set.MinReadySeconds = rapid.SampledFrom([]int32{0, 0, 10}).Draw(t, "minReady")
	w.Set.WhenScaled, w.Set.WhenDeleted = pick("scaled", "", "Retain", "Delete", "odd"), pick("deleted", "", "Delete", "Retain")
	w.Set.RevisionHistoryLimit = rapid.Int32Range(-1, 3).Draw(t, "limit")
	w.Set.Status.CurrentReplicas = rapid.Int32Range(-1, 4).Draw(t, "current")
	if rapid.Bool().Draw(t, "nilRollingUpdate") {
		w.Set.RollingUpdate = nil
	} else {
		w.Set.RollingUpdate.Partition = rapid.Int32Range(-1, 7).Draw(t, "partition")
		if rapid.Bool().Draw(t, "budget") {
			w.budget(pick("percent", "", "50%", "odd"), rapid.Int32Range(-1, 4).Draw(t, "count"))
		}
	}
	if rapid.IntRange(0, 9).Draw(t, "going") == 0 {
		w.Set.DeletedAt = noon
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "revisions") {
		name := w.revision(int64(rapid.IntRange(0, 5).Draw(t, "number")), strings.Replace(template, "web:1", fmt.Sprint("old:", i), 1))
		if rapid.Bool().Draw(t, "isCurrent") {
			w.Set.Status.CurrentRevision = name
		}
	}
	if rapid.Bool().Draw(t, "newTemplate") {
		w.image(pick("image", "web:2", "old:0", "old:1"))
	}
	drawPods(t, w, pick)
	drawDrain(t, w, pick)
	return &w.Snapshot
}

func drawPods(t *rapid.T, w *world, pick func(string, ...string) string) {
	names := []string{"web-0", "web-1", "web-2", "web-3", "web-5", "web-01", "web-007", "web-99999999999", "web-2147483647", "odd"}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 7, rapid.ID).Draw(t, "pods") {
		p := w.pod(0)
		p.Name, p.UID = name, "uid-"+name
		p.Phase = model.PodPhase(rapid.SampledFrom([]int32{2, 2, 2, 0, 1, 3, 4, 5}).Draw(t, "phase"))
		p.Ready = rapid.IntRange(0, 3).Draw(t, "ready") > 0
		p.ReadyChangedAt = noon.Add(-time.Duration(rapid.IntRange(0, 20).Draw(t, "since")) * time.Second)
		p.StartedAt = rapid.SampledFrom([]time.Time{{}, p.ReadyChangedAt, noon.Add(-time.Hour)}).Draw(t, "started")
		p.PodNameLabel = rapid.IntRange(0, 4).Draw(t, "label") > 0
		p.Revision = w.Revisions[rapid.IntRange(0, len(w.Revisions)-1).Draw(t, "revision")].Name
		if rapid.IntRange(0, 4).Draw(t, "terminating") == 0 {
			p.DeletedAt = noon
		}
		if rapid.Bool().Draw(t, "marked") {
			drawUnderWay(t, w, p, pick)
		}
		switch pick("owner", "set", "set", "set", "orphan", "other", "relabelled") {
		case "orphan":
			p.Owners = nil
		case "other":
			p.Owners[0].UID = "other"
		case "relabelled":
			p.Labels = &model.Labels{Values: map[string]string{"app": "other"}}
		}
	}
	if rapid.Bool().Draw(t, "claims") {
		w.withClaims()
		for i := range w.Claims {
			c := &w.Claims[i]
			switch pick("claim", "plain", "plain", "set", "pod", "stale", "foreign", "going") {
			case "set":
				c.Owners = w.owners()
			case "pod":
				c.Owners = []model.Owner{{APIVersion: "v1", Kind: model.KindPod, Name: c.Name[4:], UID: "uid-" + c.Name[4:], Controller: true}}
			case "stale":
				c.Owners = []model.Owner{{APIVersion: "v1", Kind: model.KindPod, Name: c.Name[4:], UID: "earlier", Controller: true}}
			case "foreign":
				c.Owners = []model.Owner{{APIVersion: "x/v1", Kind: "Backup", Name: "b", UID: "b", Controller: true}}
			case "going":
				c.DeletedAt = noon
			}
		}
	}
}

// drawUnderWay draws a pod whose images change in place, with a record that may be of any pod, or of none.
func drawUnderWay(t *rapid.T, w *world, p *model.Pod, pick func(string, ...string) string) {
	revision, seen := w.Revisions[rapid.IntRange(0, len(w.Revisions)-1).Draw(t, "under way")].Name, pick("seen", "", `,"seen":true`)
	at := noon.Add(time.Duration(rapid.SampledFrom([]int{-3600, -41, -1, 60}).Draw(t, "at")) * time.Second)
	text := fmt.Sprintf(`{"at":%d,"containers":{%q:{"id":%q,"image":%q%s}},"revision":%q%s}`, at.Unix(), pick("container", "web", "web", "db"), pick("id", "", "1", "2"),
		pick("ran", "", "a", "b"), pick("open", "", `,"open":true`), revision, seen)
	p.Annotations = &model.Annotations{Values: map[string]string{inplace.AnnotationUpdate: pick("record", inplace.NothingUnderWay, inplace.NothingUnderWay, text, text, "odd", "")}}
	if pick("shown", "yes", "yes", "no") == "no" {
		return
	}
	c := model.Container{Name: "web", Image: pick("spec", "web:2", "old:0", ""), StatusImage: pick("named", "", "web:2", "old:0"), ImageID: pick("image id", "", "a", "b"),
		ContainerID: pick("container id", "", "1", "2"), WaitingReason: pick("waits", "", "ErrImagePull")}
	if c.WaitingReason == "" {
		c.StartedAt = p.ReadyChangedAt
	}
	p.Containers = &model.PodContainers{Generation: 2, ObservedGeneration: rapid.Int64Range(0, 2).Draw(t, "observed"), Containers: []model.Container{c}}
}
