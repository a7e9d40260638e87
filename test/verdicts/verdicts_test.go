package verdicts

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/faults"
	"github.com/setplan/setplan/test/need"
	"github.com/setplan/setplan/test/sim"
	"github.com/setplan/setplan/test/story"
)

// TestVerdicts asks every tool about every set of the table. A tool says "done" where that is true and nowhere else, or the list of exceptions says why
// not; and so does the plan.
func TestVerdicts(t *testing.T) {
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			found := s.run(t)
			if found.done != (s.truth == done) {
				t.Errorf("the plan says done: %t, of a set that is %s", found.done, s.truth)
			}
			newBench(t).ask(found)
		})
	}
}

// TestEveryStep asks every tool about every set for which a plan is made in any story and in some lives, with the status that the plan writes. Whether
// the set is done is what the plan says.
func TestEveryStep(t *testing.T) {
	b := newBench(t)
	paths, err := filepath.Glob("../story/testdata/stories/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatal("no stories", err)
	}
	for _, path := range paths {
		text := need.Value(os.ReadFile(path))(t)
		b.during = filepath.Base(path)
		runner := story.NewRunner()
		runner.Record(b.see)
		for _, step := range story.Script(string(text)) {
			runner.Run(step.Command)
		}
	}
	for seed := range uint64(lives) {
		b.during = fmt.Sprintf("life %d", seed)
		faults.Live(seed, faults.Bounds{Sets: 4, Steps: 320, Record: b.see}, nil)
	}
	t.Logf("%d sets", len(b.seen))
	for i, e := range exceptions {
		for _, name := range e.tools {
			if !b.used[name][i+1] {
				t.Errorf("exception %d is never needed for %s", i+1, name)
			}
		}
	}
}

// lives is how many TestEveryStep has: some with each feature.
const lives = 8

// bench asks the tools, and remembers of what.
type bench struct {
	t      *testing.T
	during string
	seen   map[string]bool
	used   map[string]map[int]bool // exceptions, by tool
}

func newBench(t *testing.T) *bench {
	return &bench{t: t, seen: map[string]bool{}, used: map[string]map[int]bool{}}
}

// see asks about the set of a plan, unless another controller writes its status, the planner sees too little to write it, or there was one like it.
func (b *bench) see(view sim.View, request *setplanv1.PlanRequest, response *setplanv1.PlanResponse) {
	snapshot, plan := request.GetSnapshot(), response.GetPlan()
	blind := slices.ContainsFunc(plan.GetBlocks(), func(b *setplanv1.Block) bool {
		return b.GetCode() == setplanv1.BlockCode_BLOCK_CODE_COVERAGE_INCOMPLETE
	})
	if blind || snapshot.GetPolicy().GetScope() == setplanv1.Scope_SCOPE_DRAIN_ONLY {
		return
	}
	set := sim.WithStatus(view.Set(snapshot.GetSet().GetName()), plan)
	if id := looks(set, plan.GetDone()); !b.seen[id] {
		b.seen[id] = true
		b.ask(seen{set: served(b.t, set), done: plan.GetDone()})
	}
}

func (b *bench) ask(s seen) {
	b.t.Helper()
	if c := condition(s.set, "Reconciling"); c != "none" && s.number("status", "observedGeneration") == s.number("metadata", "generation") && (c == "False") != s.done {
		b.t.Errorf("%s: Reconciling is %s, and the plan says done: %t", b.during, c, s.done)
	}
	for _, tool := range tools {
		word, number, err := judge(tool, s)
		if err != nil {
			b.t.Errorf("%s: %s: %v", b.during, tool.name, err)
			continue
		}
		if number < 0 {
			text, _ := json.Marshal(s.set.Object["status"])
			b.t.Errorf("%s: %s says %q of a set that is done: %t, and no exception says why: %s", b.during, tool.name, word, s.done, text)
		}
		if b.used[tool.name] == nil {
			b.used[tool.name] = map[int]bool{}
		}
		b.used[tool.name][number] = true
	}
}

// looks is what tools look at: two sets of which it is the same get the same verdicts.
func looks(set *sim.Set, done bool) string {
	var spec struct {
		Replicas       *int32
		UpdateStrategy appsv1.StatefulSetUpdateStrategy
	}
	_ = json.Unmarshal(set.Spec, &spec) // the zero value for a spec that cannot be read
	status := *set.Status.DeepCopy()
	updated := status.CurrentRevision == status.UpdateRevision
	behind := set.Generation - status.ObservedGeneration
	status.ObservedGeneration, status.CurrentRevision, status.UpdateRevision, status.CollisionCount = 0, "", "", nil
	for i := range status.Conditions {
		c := &status.Conditions[i]
		*c = appsv1.StatefulSetCondition{Type: c.Type, Status: c.Status, Reason: c.Reason}
	}
	text, err := json.Marshal([]any{spec, status, updated, behind, set.DeletionTimestamp != nil, done})
	if err != nil {
		panic(err) // plain numbers and texts
	}
	return string(text)
}
