package faults

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/sim"
	"github.com/setplan/setplan/test/story"
)

// Step is one command of a story, with the commands that it has as input.
type Step struct {
	Line  string
	Input []string
}

// Bounds say how large a life is.
type Bounds struct {
	Sets  int // sets in the one namespace
	Steps int // commands
	// Record, if set, is given each plan and what it was made from; see sim.Planner.
	Record func(sim.View, *setplanv1.PlanRequest, *setplanv1.PlanResponse)
}

// calm is the number of commands after which faults stop for a while, and eventually stable reconciliation is checked.
const calm = 150

// Life is one long random run.
type Life struct {
	Seed    uint64
	Steps   []Step
	Problem string // the first violation, or ""
	Tally   Tally
}

// Planner makes the plans of a run: engine.Decide, or one with a bug.
type Planner func(*model.Snapshot) *model.Plan

// feature is what happens in some lives beside what happens in every life.
type feature struct {
	name  string
	lives string // those that have it: "lives in which ..."
	in    func(seed uint64) bool
	kinds []kind
	mend  func(*teller) // what a user does about sets that it holds back; nil: nothing does
}

// The features that commands of every life ask for.
const (
	policies = "policies"
	moments  = "moments"
)

var features = []feature{
	{policies, "sets have policies of drain and repair", func(seed uint64) bool { return seed%2 == 1 }, policyKinds, (*teller).mendDrains},
	{"ordinals", "ordinals are reserved and sets paused", func(seed uint64) bool { return seed%4 == 2 || seed%8 == 3 }, ordinalKinds, (*teller).mendOrdinals},
	{"ranks", "sets are updated by ranks", func(seed uint64) bool { return seed%8 == 4 || seed%8 == 7 || mixed(seed) }, rankKinds, (*teller).mendRanks},
	{"growth", "claims follow their templates", func(seed uint64) bool { return seed%8 == 5 || mixed(seed) }, growthKinds, (*teller).mendGrowth},
	{"gates", "somebody has to agree to updates", func(seed uint64) bool { return seed%16 == 0 || seed%16 == 13 || mixed(seed) }, gateKinds, (*teller).mendGates},
	{"budgets", "sets respect a disruption budget", func(seed uint64) bool { return seed%16 == 6 || seed%16 == 9 || mixed(seed) }, budgetKinds, (*teller).mendBudgets},
	{"in place", "pods are updated in place", func(seed uint64) bool { return seed%32 == 17 || seed%32 == 24 || mixed(seed) },
		slices.Concat(inPlaceKinds, resourceKinds), (*teller).mendInPlace},
	{"additions", "all policies meet, and claim templates are added", mixed, additionKinds, (*teller).mendAdditions},
	{moments, "readiness depends on others", func(seed uint64) bool { return seed%16 >= 14 || seed%16 == 12 }, momentKinds, nil},
	{"upstream", "the rules are those of Kubernetes", upstream, nil, nil},
}

// mixed lives have all policies but those of ordinals, with policies of drain and repair or without.
func mixed(seed uint64) bool { return seed%64 == 33 || seed%64 == 40 }

// upstream is a life under the rules of Kubernetes, with policies of drain and repair or without. A set need not come to rest there.
func upstream(seed uint64) bool { return seed%64 == 1 || seed%64 == 8 }

// Live makes up a life while it runs. The same seed, bounds and planner give the same life. In one of four the kubelet and the garbage
// collector never rest.
func Live(seed uint64, bounds Bounds, plan Planner) *Life {
	t := &teller{Rand: rand.New(rand.NewPCG(seed, 1)), runner: story.NewRunnerWith(plan), life: &Life{Seed: seed, Tally: NewTally()}, bounds: bounds,
		has: map[string]bool{}, upstream: upstream(seed), kinds: kinds}
	t.runner.Record(bounds.Record)
	mends := false
	for _, f := range features {
		if f.in(seed) {
			t.has[f.name], t.life.Tally.With[f.name], mends = true, 1, mends || f.mend != nil
			t.kinds = slices.Concat(t.kinds, f.kinds)
		}
	}
	if t.upstream {
		t.tell("rules", Step{Line: "behavior KUBERNETES_1_36"})
	}
	if seed%8 == 2 || seed%8 == 3 { // without policies, and with
		t.tell("restless", Step{Line: "restless kubelet gc"})
	}
	t.begin()
	for n := 1; n <= bounds.Steps && t.life.Problem == ""; n++ {
		if n%calm == 0 {
			t.calm()
			t.remedy()
			t.mend(func() bool { return t.IntN(2) == 0 })
			continue
		}
		kind := t.kind()
		t.tellAll(kind.name, kind.tell(t))
	}
	t.calm()
	t.mend(func() bool { return true })
	if mends {
		t.calm()
	}
	t.life.Tally.add(t.runner)
	return t.life
}

// calm ends all faults. Then every set comes to rest.
func (t *teller) calm() {
	t.calmMoments()
	if !t.upstream {
		t.tell("calm", Step{Line: "stable"})
	}
}

// mend does something about sets that wait for somebody, by one feature after the other.
func (t *teller) mend(now func() bool) {
	for _, f := range features {
		if t.has[f.name] && f.mend != nil && now() {
			f.mend(t)
		}
	}
}

// teller makes up one life.
type teller struct {
	*rand.Rand
	runner   *story.Runner
	life     *Life
	bounds   Bounds
	sets     []string
	has      map[string]bool // features
	upstream bool
	kinds    []kind
}

// tell carries out a command, unless there is a violation already.
func (t *teller) tell(kind string, step Step) string {
	if t.life.Problem != "" {
		return ""
	}
	t.life.Steps = append(t.life.Steps, step)
	t.life.Tally.Kinds[kind]++
	out := step.run(t.runner)
	if problems := t.runner.Problems(); len(problems) > 0 {
		t.life.Problem = problems[0]
	}
	return out
}

func (t *teller) tellAll(kind string, steps []Step) {
	for _, step := range steps {
		t.tell(kind, step)
	}
}

func (s Step) run(runner *story.Runner) string {
	return runner.Run(story.ParseCommand(s.Line, strings.Join(s.Input, "\n")))
}

// Replay runs a story and returns the first violation.
func Replay(steps []Step, plan Planner) string {
	runner := story.NewRunnerWith(plan)
	for _, step := range steps {
		step.run(runner)
		if problems := runner.Problems(); len(problems) > 0 {
			return problems[0]
		}
	}
	return ""
}

// Story returns the text of a story file: each command with its output.
func Story(steps []Step, plan Planner) string {
	var text strings.Builder
	runner := story.NewRunnerWith(plan)
	for _, step := range steps {
		fmt.Fprintln(&text, step.Line)
		for _, line := range step.Input {
			fmt.Fprintln(&text, line)
		}
		fmt.Fprintf(&text, "----\n%s\n", step.run(runner))
	}
	return text.String()
}
