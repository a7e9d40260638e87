package faults

import "github.com/setplan/setplan/test/sim"

// momentKinds are what comes in a life in which readiness depends on others, beside what comes in every life: sets are quorums, all members blink at
// once, nodes do not answer and do again, and time passes until a pod that is not ready is shown to be broken.
var momentKinds = []kind{
	{"quorum", 3, func(t *teller) []Step { return steps("quorum " + t.set() + t.pick("", "", " off")) }},
	{"blink", 6, func(t *teller) []Step { return steps("blink " + t.set()) }},
	{"a moment", 4, func(t *teller) []Step { return steps("clock " + t.pick("+1s", "+9s", "+10s", "+30s", "+59s", "+1m")) }},
	{"moment story", 4, (*teller).momentStory},
}

// momentStory updates a set that is in order, by one pod or two, while its members blink for as long as it takes, and their nodes go and come back.
func (t *teller) momentStory() []Step {
	const kind = "moment story"
	set := t.set()
	if !t.putInOrder(kind, set) {
		return t.newSet(set)
	}
	t.say(kind, "edit "+set+" image=v1 replicas="+t.pick("3", "5")+" minReady="+t.pick("0", "0", "20"))
	t.rounds(kind, set)
	t.say(kind, "clock +1m")
	t.say(kind, "quorum "+set)
	t.say(kind, "edit "+set+" image="+t.pick("v2", "v2", "crash", "bad")+" maxUnavailable="+t.pick("1", "2"))
	for range 4 {
		t.say(kind, "reconcile "+set+" as=a")
		lost := t.existing(sim.KindPod, set+"-0")
		for range 1 + t.IntN(3) {
			t.say(kind, t.pick("blink "+set, "blink "+set, "kubelet", "pod "+lost+" lost", "pod "+lost+" release", "clock +20s", "clock +1m"))
		}
		t.say(kind, "reconcile "+set+" as="+t.pick("a", "a", "b"))
		t.say(kind, "pod "+lost+" release")
		t.rounds(kind, set)
	}
	t.say(kind, "edit "+set+" image=v3")
	return nil
}

// calmMoments lets every set's pods be ready by themselves, so that what is left is up to the adapters.
func (t *teller) calmMoments() {
	for _, set := range t.sets {
		if t.has[moments] {
			t.tell("quorum no more", Step{Line: "quorum " + set + " off"})
		}
	}
}
