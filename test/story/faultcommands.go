package story

import (
	"slices"
	"strings"
	"time"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/sim"
)

// kinds are the words for kinds in commands about caches.
var kinds = map[string]string{"sets": sim.KindSet, "pods": sim.KindPod, "claims": sim.KindClaim, "revisions": sim.KindRevision}

func kindWord(word string) string {
	kind := kinds[word]
	if kind == "" {
		panic(usageError("no kind is called " + word))
	}
	return kind
}

// staleCommand: "stale pods=2 [as=b]". From now on the cache of pods lacks the newest two writes.
func (r *Runner) staleCommand(c Command) {
	p := r.process(c)
	for word, value := range c.Options {
		if word != "as" {
			p.adapter.Lag(kindWord(word), c.number(value))
		}
	}
}

// freezeCommand: "freeze pods claims [as=b]". The caches show nothing new until "thaw".
func (r *Runner) freezeCommand(c Command) {
	for _, word := range c.Args {
		r.process(c).adapter.Freeze(kindWord(word))
	}
}

// hideCommand: "hide pods [as=b]". The cache is not complete until "thaw".
func (r *Runner) hideCommand(c Command) {
	for _, word := range c.Args {
		r.process(c).adapter.Hide(kindWord(word))
	}
}

// thawCommand: "thaw [as=b]". All caches are complete and catch up.
func (r *Runner) thawCommand(c Command) { r.process(c).adapter.Thaw() }

// faultCommand: "fault create_pod 500 x2 [as=b]"; "any" stands for every operation. "fault none" ends all faults.
func (r *Runner) faultCommand(c Command) {
	if c.arg(0) == "none" {
		r.process(c).adapter.Heal()
		return
	}
	fault, err := sim.ParseFault(c.arg(1))
	r.must(err)
	operation := c.arg(0)
	if operation == "any" {
		operation = ""
	}
	r.process(c).adapter.Fail(operation, fault, c.number(c.argOr(2, "x1")))
}

// crashCommand: "crash after 1 [as=b]". The adapter dies after one more write and starts again without memory.
func (r *Runner) crashCommand(c Command) { r.process(c).adapter.CrashAfter(c.number(c.arg(1))) }

// adapterCommand: "adapter without patch_pod,adopt_pod [as=b]" removes capabilities. "adapter restart" makes it forget what it knew.
// "adapter rewind 3" does so, too, and then shows it the world of three writes ago until "thaw". "adapter alone" drains beside another
// controller, which "adapter builtin" can be: it knows no drain.
func (r *Runner) adapterCommand(c Command) {
	p := r.process(c)
	switch c.arg(0) {
	case "rewind":
		p.adapter.Rewind(c.number(c.arg(1)))
	case "alone":
		p.alone = true
	case "builtin":
		p.planner.Builtin = true
		p.adapter.Disown()
	case "without":
		missing := strings.Split(strings.ToUpper(c.arg(1)), ",")
		p.capabilities = nil
		for number := setplanv1.Capability(1); setplanv1.Capability_name[int32(number)] != ""; number++ {
			if !slices.Contains(missing, strings.TrimPrefix(number.String(), "CAPABILITY_")) {
				p.capabilities = append(p.capabilities, number)
			}
		}
	}
	p.start()
}

// plannerCommand: "planner down|up|replay [as=b]". "replay" answers the next call with the last plan once more.
func (r *Runner) plannerCommand(c Command) {
	p := r.process(c)
	switch word := c.arg(0); word {
	case "down", "up":
		p.planner.Unreachable = word == "down"
	case "replay":
		p.planner.Replay = true
	default:
		panic(usageError("a planner is not " + word))
	}
}

// duringCommand: "during [as=b]", with commands as input. They run after the next plan is made and before it is applied;
// with "after=2" once the adapter has written twice.
func (r *Runner) duringCommand(c Command) {
	happens := func() { r.runLines(c.Input) }
	if after, given := c.Options["after"]; given {
		r.process(c).adapter.After(max(1, c.number(after)), happens)
		return
	}
	r.process(c).planner.Between = happens
}

// skewCommand: "skew +40s [as=b]". The adapter's clock is that far ahead of the cluster's, or behind it.
func (r *Runner) skewCommand(c Command) {
	d, err := time.ParseDuration(c.arg(0))
	r.must(err)
	r.process(c).adapter.Skew(d)
}
