// Package narrate tells people what an adapter does, one line per event: when, what, and why. It is an observer of the
// loop, so whatever runs a loop can have it: both demos do.
package narrate

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/printable"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Narrator is an adapters.Observer that writes lines such as
//
//	12s  saw   web-0 is ready
//	12s  wait  web-0: The pod is ready and becomes available after minReadySeconds (5).
//	17s  do    create pod web-1: Ordinal 1 has no pod.
//
// A wait is told when it begins and when its wording changes, not on every pass.
type Narrator struct {
	// Flags lead kubectl to the cluster, in the commands of remedies.
	Flags []string

	clock adapters.Clock
	begin time.Time

	mu     sync.Mutex
	out    io.Writer
	told   map[adapters.Key]*told
	counts map[string]int
	failed int
	// conflicts are writes that the API refused because the object had changed: the protection at work, not a failure.
	conflicts int
	plans     int
}

// told is what was last said about a set.
type told struct {
	waits map[string]bool // codes of blocks, and their lines
	pods  map[string]podState
	held  string
	done  bool
}

// New makes a narrator; the times in its lines count from now.
func New(out io.Writer, clock adapters.Clock) *Narrator {
	return &Narrator{clock: clock, begin: clock(), out: out, told: map[adapters.Key]*told{}, counts: map[string]int{}}
}

// Say writes a line of the caller's own, so that a demo can tell what it does between the adapter's lines.
func (n *Narrator) Say(format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.line("USER", fmt.Sprintf(format, args...))
}

// Saw writes a line about something that no plan shows, such as what the garbage collector takes away.
func (n *Narrator) Saw(format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.line("saw", fmt.Sprintf(format, args...))
}

func (n *Narrator) line(verb, text string) {
	elapsed := n.clock().Sub(n.begin).Truncate(time.Second)
	fmt.Fprintf(n.out, "%7s  %-5s %s\n", elapsed, verb, printable.Line(text))
}

// of returns the memory of a set. Every caller holds the lock.
func (n *Narrator) of(key adapters.Key) *told {
	t := n.told[key]
	if t == nil {
		t = &told{waits: map[string]bool{}, pods: map[string]podState{}}
		n.told[key] = t
	}
	return t
}

// Planned implements adapters.Observer.
func (n *Narrator) Planned(key adapters.Key, snapshot *setplanv1.Snapshot, plan *setplanv1.Plan) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.plans++
	t := n.of(key)
	t.held = ""
	n.tellPods(t, snapshot)
	n.tellWaits(t, plan)
	if plan.GetConverged() && !t.done {
		n.line("done", key.Name+" is in the desired state")
	}
	t.done = plan.GetConverged()
}

// Applied implements adapters.Observer.
func (n *Narrator) Applied(key adapters.Key, _ *setplanv1.Snapshot, action *setplanv1.Action, result adapters.Result) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.did(key, adapters.OperationName(action), action.GetTarget().GetName(), action.GetCause().GetMessage(), result)
}

// Did is Applied for somebody who only reads an adapter's log: the operation's name, its target's, why, and how it ended.
func (n *Narrator) Did(key adapters.Key, operation, target, cause string, result adapters.Result) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.did(key, operation, target, cause, result)
}

func (n *Narrator) did(key adapters.Key, operation, target, cause string, result adapters.Result) {
	switch {
	case result.Err != nil && result.Outcome == setplanv1.OutcomeResult_OUTCOME_RESULT_CONFLICT:
		n.conflicts++
		n.line("again", adapters.Phrase(operation, target)+": someone else has just changed it, so the adapter plans again")
		return
	case result.Err != nil:
		n.failed++
		n.line("FAIL", adapters.Phrase(operation, target)+": "+result.Err.Error())
		return
	}
	n.counts[operation]++
	if operation != "update_status" { // every step of a rollout writes it; telling would hide the rest
		n.line("do", adapters.Phrase(operation, target)+": "+cause)
	}
	n.of(key).done = false
}

// Held implements adapters.Observer. The gate closes after every write and says nothing new; it is not told.
func (n *Narrator) Held(key adapters.Key, reason string, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	text := fmt.Sprintf("%s: %s: %v", key.Name, reason, err)
	t := n.of(key)
	if reason == adapters.ReasonGate || t.held == text {
		return
	}
	t.held = text
	n.line("held", text)
}

// Forgotten implements adapters.Observer.
func (n *Narrator) Forgotten(key adapters.Key) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.told[key] != nil {
		n.line("saw", key.Name+" is gone")
		delete(n.told, key)
	}
}
