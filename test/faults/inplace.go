package faults

import (
	"fmt"

	"github.com/setplan/setplan/test/sim"
)

const inPlace = "setplan.io/in-place"

// inPlaceKinds are what comes in a life in which pods are updated in place, beside what comes in every life.
var inPlaceKinds = []kind{
	{"in place", 3, func(t *teller) []Step {
		return steps("annotate " + t.set() + " " + inPlace + "=" + t.pick("", "InPlaceIfPossible", "InPlaceIfPossible", "InPlaceOnly", "Recreate", "odd"))
	}},
	{"metadata", 5, func(t *teller) []Step { return []Step{t.metadata(t.set())} }},
	{"image", 5, func(t *teller) []Step { return steps("edit " + t.set() + " image=" + t.pick(inPlaceImages...)) }},
	{"container crash", 3, func(t *teller) []Step { return steps("pod " + t.existing(sim.KindPod, t.set()+"-0") + " crash") }},
	{"kubelet's age", 1, func(t *teller) []Step { return steps("kubelet " + t.pick("old", "new")) }},
	{"odd note", 1, func(t *teller) []Step {
		return steps("pod " + t.existing(sim.KindPod, t.set()+"-0") + " annotate setplan.io/in-place-update=odd")
	}},
	{"in place story", 3, (*teller).inPlaceStory},
	{"image story", 4, (*teller).imageStory},
}

// inPlaceImages are tags; those that begin with same are one image under several names.
var inPlaceImages = []string{"v1", "v2", "v2", "v3", "same1", "same2", "bad", "crash"}

// metadata edits labels and annotations of a template.
func (t *teller) metadata(set string) Step {
	return Step{Line: "edit " + set, Input: []string{`{"template":{"metadata":` + t.pick(`{"labels":{"tier":"gold"}}`, `{"labels":{"tier":"silver"}}`, `{"labels":{"tier":null}}`,
		`{"annotations":{"plan":"daily"}}`, `{"annotations":{"plan":null}}`, `{"annotations":{"kubectl.kubernetes.io/restartedAt":"2026-03-01T12:00:00Z"}}`,
		`{"labels":{"tier":"gold"},"annotations":{"plan":"daily"}}`) + `}}`}}
}

// inPlaceStory updates a set that is in order, in place and otherwise, while somebody else writes to its pods.
func (t *teller) inPlaceStory() []Step {
	const kind = "in place story"
	set := t.set()
	if !t.putInOrder(kind, set) {
		return t.newSet(set)
	}
	t.say(kind, "edit "+set+" image=v1 replicas=3")
	t.rounds(kind, set)
	t.say(kind, "annotate "+set+" "+inPlace+"="+t.pick("InPlaceIfPossible", "InPlaceOnly"))
	for range 3 {
		t.tell(kind, t.metadata(set))
		if t.IntN(3) == 0 { // the image, too; pods that are at it already differ in less
			t.say(kind, "edit "+set+" image="+t.pick("v2", "bad"))
			t.say(kind, "reconcile "+set)
			t.tell(kind, t.metadata(set))
		}
		if t.IntN(3) == 0 {
			t.say(kind, "freeze pods")
			t.say(kind, "pod "+t.existing(sim.KindPod, set+"-0")+" relabel labels=theirs="+t.pick("1", ""))
			t.rounds(kind, set)
			t.say(kind, "thaw")
		}
		t.rounds(kind, set)
	}
	return nil
}

// imageStory updates the images of a set that is in order, and back, while containers crash, the adapter dies after a write or sees what was before, and
// somebody changes his mind.
func (t *teller) imageStory() []Step {
	const kind = "image story"
	set := t.set()
	if !t.putInOrder(kind, set) {
		return t.newSet(set)
	}
	t.say(kind, "edit "+set+" strategy=RollingUpdate image="+t.pick("v1", "same1")+" replicas="+t.pick("2", "3")+" maxUnavailable="+t.pick("1", "2"))
	t.rounds(kind, set)
	t.say(kind, "annotate "+set+" "+inPlace+"="+t.pick("InPlaceIfPossible", "InPlaceOnly"))
	for range 4 {
		t.say(kind, "edit "+set+" image="+t.pick(inPlaceImages...))
		for range 3 + t.IntN(6) {
			t.say(kind, t.pick("reconcile "+set, "reconcile "+set, "crash after 1", "adapter rewind "+t.pick("1", "2", "4"), "fault any lost x1"))
			t.say(kind, "reconcile "+set)
			t.say(kind, t.pick("kubelet", "kubelet", "kubelet x2", "thaw", fmt.Sprintf("pod %s-%d crash", set, t.IntN(3)), "clock +40s"))
		}
		t.say(kind, "thaw")
	}
	return nil
}

// mendInPlace is what a user does about pods that stay as they are.
func (t *teller) mendInPlace() {
	for _, set := range t.annotated(sim.KindSet, inPlace) {
		t.tell("in place no more", Step{Line: "annotate " + set + " " + inPlace + "="})
	}
}
