package faults

import (
	"fmt"

	"github.com/setplan/setplan/test/sim"
)

// The annotations that these lives are about.
const (
	updateRank   = "setplan.io/update-rank"
	scaleUpLimit = "setplan.io/scale-up-limit"
)

// rankKinds are what comes in a life in which sets are updated by ranks, beside what comes in every life.
var rankKinds = []kind{
	{"update rank", 2, func(t *teller) []Step { return steps(t.rankBy()) }},
	{"leader", 5, func(t *teller) []Step { return steps(t.elect(t.existing(sim.KindPod, "web-0"))) }},
	{"rank story", 3, (*teller).rankStory},
	{"recreate", 3, func(t *teller) []Step {
		return steps("pod " + t.existing(sim.KindPod, "web-0") + " annotate setplan.io/recreate=" + t.pick("true", "true", ""))
	}},
	{"scale-up limit", 2, func(t *teller) []Step { return steps(t.limitScaleUp()) }},
}

func (t *teller) rankBy() string {
	return "annotate " + t.set() + " " + updateRank + "=" + t.pick("", "role=primary", "role=primary", "setplan.io/rank", "a=b=c")
}

func (t *teller) limitScaleUp() string {
	return "annotate " + t.set() + " " + scaleUpLimit + "=" + t.pick("", "1", "1", "2", "50%", "odd")
}

// elect gives a pod a rank, or takes it away, by either label.
func (t *teller) elect(pod string) string {
	return "pod " + pod + " relabel labels=" + t.pick("role=primary", "role=primary", "role=replica", "setplan.io/rank=1", "setplan.io/rank=2", "setplan.io/rank=odd",
		"setplan.io/rank=,role=")
}

// rankStory updates a set that is in order and has a leader, who moves now and then.
func (t *teller) rankStory() []Step {
	const kind = "rank story"
	set := t.set()
	if !t.putInOrder(kind, set) {
		return t.newSet(set)
	}
	t.say(kind, "edit "+set+" image=v1 replicas=3")
	t.rounds(kind, set)
	t.say(kind, "annotate "+set+" "+updateRank+"="+t.pick("role=primary", "setplan.io/rank"))
	pod := func() string { return fmt.Sprintf("%s-%d", set, t.IntN(3)) }
	t.say(kind, "pod "+pod()+" relabel labels=role=primary,setplan.io/rank=1")
	t.say(kind, "edit "+set+" image=v2 maxUnavailable="+t.pick("1", "2"))
	for range 3 {
		t.rounds(kind, set)
		t.say(kind, t.elect(pod()))
	}
	return nil
}

// mendRanks is what a user does about updates that wait for a leader, and about pods that wait for others to start.
func (t *teller) mendRanks() {
	for _, annotation := range []string{updateRank, scaleUpLimit} {
		for _, set := range t.annotated(sim.KindSet, annotation) {
			t.tell("ranks no more", Step{Line: "annotate " + set + " " + annotation + "="})
		}
	}
}
