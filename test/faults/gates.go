package faults

import (
	"fmt"

	"github.com/setplan/setplan/test/sim"
)

// The annotations that these lives are about.
const (
	beforeUpdate = "setplan.io/before-update"
	afterUpdate  = "setplan.io/after-update"
)

// gateKinds are what comes in a life in which somebody has to agree to updates, beside what comes in every life.
var gateKinds = []kind{
	{"gate", 2, func(t *teller) []Step {
		return steps("annotate " + t.set() + " " + t.pick(beforeUpdate, afterUpdate) + "=" + t.pick("", "agent"))
	}},
	{"agreed", 5, func(t *teller) []Step {
		return steps("pod " + t.existing(sim.KindPod, "web-0") + " " + t.pick("agree", "agree", "annotate "+beforeUpdate+"=", "annotate "+afterUpdate+"=no"))
	}},
	{"gate story", 3, (*teller).gateStory},
}

// gateStory updates a set that is in order and asks somebody, who answers now and then.
func (t *teller) gateStory() []Step {
	const kind = "gate story"
	set := t.set()
	if !t.putInOrder(kind, set) {
		return t.newSet(set)
	}
	t.say(kind, "edit "+set+" image=v1 replicas=3")
	t.rounds(kind, set)
	t.say(kind, "annotate "+set+" "+t.pick(beforeUpdate+"=agent", afterUpdate+"=agent", beforeUpdate+"=agent "+afterUpdate+"=agent"))
	t.say(kind, "edit "+set+" image="+t.pick("v2", "v2", "bad")+" maxUnavailable="+t.pick("1", "2"))
	for range 4 {
		t.rounds(kind, set)
		pod := fmt.Sprintf("pod %s-%d ", set, t.IntN(3))
		t.say(kind, pod+"agree")
		if t.IntN(3) == 0 { // it is taken back, and the adapter does not see that
			t.say(kind, "freeze pods")
			t.say(kind, pod+"annotate "+beforeUpdate+"=no")
			t.rounds(kind, set)
			t.say(kind, "thaw")
		}
	}
	return nil
}

// mendGates is what a user does about updates that wait for an answer.
func (t *teller) mendGates() {
	for _, annotation := range []string{beforeUpdate, afterUpdate} {
		for _, set := range t.annotated(sim.KindSet, annotation) {
			t.tell("gates no more", Step{Line: "annotate " + set + " " + annotation + "="})
		}
	}
}
