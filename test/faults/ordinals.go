package faults

import (
	"slices"

	"github.com/setplan/setplan/test/sim"
)

// The annotations that these lives are about.
const (
	reservedOrdinals = "setplan.io/reserved-ordinals"
	scaleInGuard     = "setplan.io/scale-in-guard"
	pause            = "setplan.io/pause"
)

// ordinalKinds are what comes in a life in which ordinals are reserved and sets are paused, beside what comes in every life.
var ordinalKinds = []kind{
	{"reserved ordinals", 4, func(t *teller) []Step { return steps(t.reserve()) }},
	{"reserved and scaled", 3, (*teller).reserveAndScale},
	{"scale-in guard", 1, func(t *teller) []Step { return steps(t.guard()) }},
	{"pause", 3, func(t *teller) []Step { return steps(t.pausing()) }},
	{"pause story", 2, (*teller).pauseStory},
}

func (t *teller) reserve() string {
	return "annotate " + t.set() + " " + reservedOrdinals + "=" + t.pick("", "", "0", "1", "1", "2", "1,3", "0-1", "0,2", "1-40", "odd")
}

// reserveAndScale makes the two edits of somebody who names the pod that is to go, in either order. Between them the adapter may look.
func (t *teller) reserveAndScale() []Step {
	set := t.set()
	lines := []string{
		"annotate " + set + " " + reservedOrdinals + "=" + t.pick("0", "1", "1", "2", "0,2"),
		"edit " + set + " replicas=" + t.pick("1", "2", "3"),
	}
	if t.IntN(2) == 0 {
		slices.Reverse(lines)
	}
	if t.IntN(2) == 0 {
		lines = slices.Insert(lines, 1, "reconcile "+set+t.as())
	}
	return steps(lines...)
}

func (t *teller) guard() string {
	return "annotate " + t.set() + " " + scaleInGuard + "=" + t.pick("", "named", "named", "odd")
}

func (t *teller) pausing() string {
	return "annotate " + t.set() + " " + pause + "=" + t.pick("", "", "Updates", "HealOnly", "All", "odd")
}

// pauseStory pauses a set that is in order, and then has it want what the pause holds back.
func (t *teller) pauseStory() []Step {
	const kind = "pause story"
	set := t.set()
	if !t.putInOrder(kind, set) {
		return t.newSet(set)
	}
	t.say(kind, "edit "+set+" image=v1 replicas="+t.pick("2", "3"))
	t.rounds(kind, set)
	t.say(kind, "annotate "+set+" "+pause+"="+t.pick("Updates", "HealOnly", "All"))
	t.say(kind, t.pick("edit "+set+" image=v2", "edit "+set+" replicas=1", "edit "+set+" replicas=5", "pod "+t.existing(sim.KindPod, set+"-0")+" delete",
		"annotate "+set+" "+reservedOrdinals+"=0"))
	t.rounds(kind, set)
	t.say(kind, "annotate "+set+" "+pause+"=")
	t.rounds(kind, set)
	return nil
}

// mendOrdinals is what a user does about sets that are held back: the pause and the guard end, and what cannot be read is corrected.
func (t *teller) mendOrdinals() {
	for _, annotation := range []string{pause, scaleInGuard} {
		for _, set := range t.annotated(sim.KindSet, annotation) {
			t.tell("held back no more", Step{Line: "annotate " + set + " " + annotation + "="})
		}
	}
	for _, set := range t.annotated(sim.KindSet, reservedOrdinals) {
		t.tell("reserved ordinals", Step{Line: "annotate " + set + " " + reservedOrdinals + "=" + t.pick("", "1", "0,2")})
	}
}
