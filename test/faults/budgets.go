package faults

import (
	"strconv"

	"github.com/setplan/setplan/test/sim"
)

// disruptionBudget is the annotation that these lives are about.
const disruptionBudget = "setplan.io/disruption-budget"

// budgetKinds are what comes in a life with disruption budgets, beside what comes in every life. All sets have the labels of one budget.
var budgetKinds = []kind{
	{"budget respected", 3, func(t *teller) []Step {
		return steps("annotate " + t.set() + " " + disruptionBudget + "=" + t.pick("", "Respect", "Respect", "Respect", "Ignore", "odd"))
	}},
	{"budget", 4, func(t *teller) []Step { return steps(t.budget()) }},
	{"budget story", 3, (*teller).budgetStory},
}

// budget is one for all pods, or for those of one app.
func (t *teller) budget() string {
	if len(t.runner.World().State().Names(sim.KindBudget)) > 0 && t.IntN(4) == 0 {
		return "budget guard off"
	}
	return "budget guard min=" + strconv.Itoa(t.IntN(6))
}

// budgetStory updates and scales a set that is in order, while its budget allows more and less.
func (t *teller) budgetStory() []Step {
	const kind = "budget story"
	set := t.set()
	if !t.putInOrder(kind, set) {
		return t.newSet(set)
	}
	t.say(kind, "edit "+set+" image=v1 replicas=3")
	t.rounds(kind, set)
	t.say(kind, "annotate "+set+" "+disruptionBudget+"=Respect")
	t.say(kind, t.budget())
	t.say(kind, "edit "+set+" image="+t.pick("v2", "v2", "bad")+" maxUnavailable="+t.pick("1", "2")+" replicas="+t.pick("3", "2"))
	for range 4 {
		t.rounds(kind, set)
		t.say(kind, t.budget())
		if t.IntN(2) == 0 {
			t.say(kind, "clock +10s")
		}
	}
	return nil
}

// mendBudgets is what a user does about pods that wait for a budget.
func (t *teller) mendBudgets() {
	if len(t.runner.World().State().Names(sim.KindBudget)) > 0 {
		t.tell("budget no more", Step{Line: "budget guard off"})
		t.tell("budget no more", Step{Line: "clock +1m"})
	}
	for _, set := range t.annotated(sim.KindSet, disruptionBudget) {
		t.tell("budget no more", Step{Line: "annotate " + set + " " + disruptionBudget + "="})
	}
}
