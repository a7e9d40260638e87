package faults

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/setplan/setplan/test/sim"
	"github.com/setplan/setplan/test/story"
)

// Tally counts what happened.
type Tally struct {
	Writes, Decisions, Checks, Crashes, Calms int
	With                                      map[string]int    // lives, by the features that they have
	Kinds                                     map[string]int    // commands
	Faults                                    map[sim.Fault]int // failed calls
	Actions                                   map[string]int    // carried out, by what and why
}

// NewTally counts from nothing.
func NewTally() Tally {
	return Tally{With: map[string]int{}, Kinds: map[string]int{}, Faults: map[sim.Fault]int{}, Actions: map[string]int{}}
}

// add counts what a runner has done.
func (t *Tally) add(runner *story.Runner) {
	done := runner.Done()
	t.Add(Tally{Writes: done.Writes, Decisions: done.Plans, Checks: done.Checks, Crashes: done.Crashes, Calms: done.Stable, Faults: done.Faults, Actions: done.Actions})
}

// Add takes over the counts of another run.
func (t *Tally) Add(other Tally) {
	t.Writes += other.Writes
	t.Decisions += other.Decisions
	t.Checks += other.Checks
	t.Crashes += other.Crashes
	t.Calms += other.Calms
	addAll(t.With, other.With)
	addAll(t.Kinds, other.Kinds)
	addAll(t.Faults, other.Faults)
	addAll(t.Actions, other.Actions)
}

func addAll[K comparable](to, from map[K]int) {
	for key, n := range from {
		to[key] += n
	}
}

// What the policies do, by the names that Actions has for it.
const (
	DrainPods     = "create pod (drain)"
	DrainRetries  = "delete pod (drain failed)"
	DrainedClaims = "delete claim (drained)"
	Repairs       = "delete pod (repair)"
)

// Print lists the counts.
func (t *Tally) Print(out io.Writer) {
	for _, f := range features {
		fmt.Fprintf(out, "%10d lives in which %s\n", t.With[f.name], f.lives)
	}
	fmt.Fprintf(out, "%10d writes\n%10d decisions\n%10d invariant checks\n%10d crashes\n%10d times stable once faults had stopped\n",
		t.Writes, t.Decisions, t.Checks, t.Crashes, t.Calms)
	printAll(out, "actions", t.Actions)
	printAll(out, "calls failed", t.Faults)
	printAll(out, "commands", t.Kinds)
}

func printAll[K cmp.Ordered](out io.Writer, what string, counts map[K]int) {
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(out, "%10d %s: %v\n", counts[key], what, key)
	}
}
