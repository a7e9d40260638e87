package faults

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/setplan/setplan/engine"
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
type Planner func(*engine.Snapshot) *engine.Plan

// Live makes up a life while it runs. The same seed, bounds and planner give the same life. In every second life the sets have drain and
// repair policies. In half of the others, and a fourth of those, ordinals are reserved and sets paused; in a fourth of either, sets are updated
// by ranks; in a fourth of those with policies claims grow; in an eighth of all, somebody has to agree
// to updates; in another eighth sets respect a disruption budget, and in a sixteenth pods are updated in place. In one of 32 all
// of this but reserved ordinals meets, and sets add claim templates. In three of 16 readiness depends on others. In one of four the kubelet and the garbage collector never rest.
func Live(seed uint64, bounds Bounds, plan Planner) *Life {
	t := &teller{Rand: rand.New(rand.NewPCG(seed, 1)), runner: story.NewRunnerWith(plan), life: &Life{Seed: seed}, bounds: bounds,
		policies: seed%2 == 1, ordinals: seed%4 == 2 || seed%8 == 3, ranks: seed%8 == 4 || seed%8 == 7, growth: seed%8 == 5,
		gates: seed%16 == 0 || seed%16 == 13, budgets: seed%16 == 6 || seed%16 == 9, inPlace: seed%32 == 17 || seed%32 == 24, moments: seed%16 >= 14 || seed%16 == 12, kinds: kinds}
	if seed%64 == 33 || seed%64 == 40 { // with policies of drain and repair, and without
		t.ranks, t.growth, t.gates, t.budgets, t.inPlace, t.additions = true, true, true, true, true, true
	}
	if t.policies {
		t.kinds = slices.Concat(t.kinds, policyKinds)
	}
	if t.ordinals {
		t.kinds = slices.Concat(t.kinds, ordinalKinds)
	}
	if t.ranks {
		t.kinds = slices.Concat(t.kinds, rankKinds)
	}
	if t.growth {
		t.kinds = slices.Concat(t.kinds, growthKinds)
	}
	if t.gates {
		t.kinds = slices.Concat(t.kinds, gateKinds)
	}
	if t.budgets {
		t.kinds = slices.Concat(t.kinds, budgetKinds)
	}
	if t.inPlace {
		t.kinds = slices.Concat(t.kinds, inPlaceKinds, resourceKinds)
	}
	if t.additions {
		t.kinds = slices.Concat(t.kinds, additionKinds)
	}
	if t.moments {
		t.kinds = slices.Concat(t.kinds, momentKinds)
	}
	t.life.Tally = NewTally()
	if seed%8 == 2 || seed%8 == 3 { // without policies, and with
		t.tell("restless", Step{Line: "restless kubelet gc"})
	}
	t.begin()
	for n := 1; n <= bounds.Steps && t.life.Problem == ""; n++ {
		if n%calm == 0 {
			t.calmMoments()
			t.tell("calm", Step{Line: "stable"})
			t.remedy()
			if t.policies && t.IntN(2) == 0 {
				t.mendDrains()
			}
			if t.ordinals && t.IntN(2) == 0 {
				t.mendOrdinals()
			}
			if t.ranks && t.IntN(2) == 0 {
				t.mendRanks()
			}
			if t.growth && t.IntN(2) == 0 {
				t.mendGrowth()
			}
			if t.gates && t.IntN(2) == 0 {
				t.mendGates()
			}
			if t.budgets && t.IntN(2) == 0 {
				t.mendBudgets()
			}
			if t.inPlace && t.IntN(2) == 0 {
				t.mendInPlace()
			}
			if t.additions && t.IntN(2) == 0 {
				t.mendAdditions()
			}
			continue
		}
		kind := t.kind()
		t.tellAll(kind.name, kind.tell(t))
	}
	t.calmMoments()
	t.tell("calm", Step{Line: "stable"})
	if t.policies {
		t.mendDrains()
		t.life.Tally.WithPolicies++
	}
	if t.ordinals {
		t.mendOrdinals()
		t.life.Tally.WithOrdinals++
	}
	if t.ranks {
		t.mendRanks()
		t.life.Tally.WithRanks++
	}
	if t.growth {
		t.mendGrowth()
		t.life.Tally.WithGrowth++
	}
	if t.gates {
		t.mendGates()
		t.life.Tally.WithGates++
	}
	if t.budgets {
		t.mendBudgets()
		t.life.Tally.WithBudgets++
	}
	if t.inPlace {
		t.mendInPlace()
		t.life.Tally.WithInPlace++
	}
	if t.additions {
		t.mendAdditions()
		t.life.Tally.WithAdditions++
	}
	if t.moments {
		t.life.Tally.WithMoments++
	}
	if t.policies || t.ordinals || t.ranks || t.gates || t.budgets || t.inPlace {
		t.tell("calm", Step{Line: "stable"})
	}
	t.life.Tally.add(t.runner)
	return t.life
}

// teller makes up one life.
type teller struct {
	*rand.Rand
	runner    *story.Runner
	life      *Life
	bounds    Bounds
	sets      []string
	policies  bool // of drain and repair
	ordinals  bool // are reserved, and sets paused
	ranks     bool // say in which order sets are updated
	growth    bool // of claims
	gates     bool // of updates: somebody has to agree
	budgets   bool // there is a disruption budget, and sets respect it
	inPlace   bool // pods are updated in place
	additions bool // of claim templates; and all of these meet
	moments   bool // readiness depends on others
	kinds     []kind
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
