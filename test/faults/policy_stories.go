package faults

import (
	"fmt"
	"strings"

	"github.com/setplan/setplan/test/sim"
)

// What random commands hardly ever come to: a set that is in order, and then drained or repaired step by step. Harm comes
// between the steps. These stories are told while they are made up, because each command depends on what came before.

// drainStory scales a set up, and then down.
func (t *teller) drainStory() []Step {
	const kind = "drain story"
	set := t.set()
	if !t.putInOrder(kind, set) {
		return t.newSet(set)
	}
	t.say(kind, "edit "+set+" image=v1 replicas="+t.pick("2", "3", "4"))
	t.rounds(kind, set)
	t.say(kind, "edit "+set+" replicas="+t.pick("0", "1", "1", "2"))
	t.rounds(kind, set)
	return nil
}

// repairStory gives a set a template whose pods never get ready, and then a good one.
func (t *teller) repairStory() []Step {
	const kind = "repair story"
	set := t.set()
	if !t.putInOrder(kind, set) {
		return t.newSet(set)
	}
	t.say(kind, "edit "+set+" strategy="+t.pick("RollingUpdate", "RollingUpdate", "nil")+" image=v1 replicas="+t.pick("1", "2", "3"))
	t.rounds(kind, set)
	t.say(kind, "edit "+set+" image="+t.pick("bad", "bad", "crash"))
	t.rounds(kind, set)
	t.say(kind, "edit "+set+" image="+t.pick("v1", "v2", "v3"))
	t.rounds(kind, set)
	return nil
}

// deletionStory gives a set whose claims belong to it a policy with drain-on-delete, and deletes it a moment later: before
// the adapter has looked, in the middle of what it does about that, or as soon as it has said that the set may be deleted.
func (t *teller) deletionStory() []Step {
	const kind = "deletion story"
	set := t.set()
	if !t.putInOrder(kind, set) {
		return t.newSet(set)
	}
	t.say(kind, "drain "+set+t.pick(" off", " off", " image=v1"))
	t.say(kind, "edit "+set+" image=v1 retention=Delete/"+t.pick("Retain", "Delete")+" replicas="+t.pick("2", "3"))
	t.say(kind, "settle")
	t.say(kind, "edit "+set+" replicas=1")
	t.say(kind, t.pick("settle", "settle", "reconcile "+set))
	if t.IntN(2) == 0 {
		t.say(kind, "pod "+t.existing(sim.KindPod, set+"-0")+" unready")
	}
	t.say(kind, oneSpace("drain", set, "image=completes", "onDelete=true", t.pick("", "leftovers=true")))
	for range t.IntN(5) {
		if t.IntN(3) == 0 {
			t.say(kind, t.pick(t.drainFault(), t.scale(), "crash after 1", "crash after 2", "reconcile "+set+" as=b", "kubelet", "gc"))
		}
		t.say(kind, "reconcile "+set)
	}
	t.say(kind, "delete "+set+" "+t.pick("foreground", "foreground", "background"))
	t.rounds(kind, set)
	return nil
}

func (t *teller) say(kind, line string) { t.tell(kind, Step{Line: line}) }

// putInOrder takes away what holds a set up; false if there is no such set.
func (t *teller) putInOrder(kind, set string) bool {
	state := t.runner.World().State()
	if state.Set(set) == nil {
		return false
	}
	for _, line := range []string{"thaw", "fault none", "planner up"} {
		t.say(kind, line)
	}
	for _, pod := range state.Names(sim.KindPod) {
		if owner(pod) == set {
			t.say(kind, "pod "+pod+" release")
		}
	}
	for _, claim := range state.Names(sim.KindClaim) {
		if strings.Contains(claim, "-"+set+"-") && len(state.Claim(claim).Finalizers) > 1 {
			t.say(kind, "claim "+claim+" unfinalize")
		}
	}
	return true
}

// rounds are some in which the adapter looks at the set and the cluster goes on, with harm here and there.
func (t *teller) rounds(kind, set string) {
	for range 3 + t.IntN(8) {
		t.say(kind, "reconcile "+set)
		t.say(kind, t.pick("kubelet", "kubelet", "kubelet x2", "gc"))
		if t.IntN(4) == 0 {
			t.say(kind, t.pick(t.drainPod(), t.drainPod(), t.drainPod(), t.drainFault(), t.answer(), t.markedClaim(), t.scale(),
				fmt.Sprintf("crash after %d", 1+t.IntN(3)), "adapter restart", "reconcile "+set+" as=b", "stale "+t.cacheKind()+"=1", "thaw",
				"clock "+t.pick("+10s", "+1m")))
		}
	}
}
