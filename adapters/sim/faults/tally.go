package faults

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/setplan/setplan/adapters/sim"
	"github.com/setplan/setplan/adapters/sim/story"
)

// Tally counts what happened.
type Tally struct {
	Writes, Decisions, Checks, Crashes, Calms int
	Kinds                                     map[string]int    // commands
	Faults                                    map[sim.Fault]int // failed calls
}

// NewTally counts from nothing.
func NewTally() Tally { return Tally{Kinds: map[string]int{}, Faults: map[sim.Fault]int{}} }

// add counts what a runner has done.
func (t *Tally) add(runner *story.Runner) {
	done := runner.Done()
	t.Writes += done.Writes
	t.Decisions += done.Plans
	t.Checks += done.Checks
	t.Crashes += done.Crashes
	t.Calms += done.Stable
	for fault, n := range done.Faults {
		t.Faults[fault] += n
	}
}

// Add takes over the counts of another run.
func (t *Tally) Add(other Tally) {
	t.Writes += other.Writes
	t.Decisions += other.Decisions
	t.Checks += other.Checks
	t.Crashes += other.Crashes
	t.Calms += other.Calms
	for kind, n := range other.Kinds {
		t.Kinds[kind] += n
	}
	for fault, n := range other.Faults {
		t.Faults[fault] += n
	}
}

// Print lists the counts.
func (t *Tally) Print(out io.Writer) {
	fmt.Fprintf(out, "%10d writes\n%10d decisions\n%10d invariant checks\n%10d crashes\n%10d times stable once faults had stopped\n",
		t.Writes, t.Decisions, t.Checks, t.Crashes, t.Calms)
	for _, fault := range slices.Sorted(maps.Keys(t.Faults)) {
		fmt.Fprintf(out, "%10d calls failed: %s\n", t.Faults[fault], fault)
	}
	for _, kind := range slices.Sorted(maps.Keys(t.Kinds)) {
		fmt.Fprintf(out, "%10d commands: %s\n", t.Kinds[kind], kind)
	}
}
