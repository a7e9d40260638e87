package faults

import (
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
	WithPolicies                              int               // lives in which sets have policies of drain and repair
	WithOrdinals                              int               // lives in which ordinals are reserved and sets paused
	WithRanks                                 int               // lives in which sets are updated by ranks
	WithGrowth                                int               // lives in which claims follow their templates
	WithGates                                 int               // lives in which somebody has to agree to updates
	WithBudgets                               int               // lives in which sets respect a disruption budget
	WithInPlace                               int               // lives in which pods are updated in place
	WithMoments                               int               // lives in which readiness depends on others
	WithAdditions                             int               // lives in which sets add claim templates, and all these policies meet
	Kinds                                     map[string]int    // commands
	Faults                                    map[sim.Fault]int // failed calls
	Actions                                   map[string]int    // carried out, by what and why
}

// NewTally counts from nothing.
func NewTally() Tally {
	return Tally{Kinds: map[string]int{}, Faults: map[sim.Fault]int{}, Actions: map[string]int{}}
}

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
	for action, n := range done.Actions {
		t.Actions[action] += n
	}
}

// Add takes over the counts of another run.
func (t *Tally) Add(other Tally) {
	t.Writes += other.Writes
	t.Decisions += other.Decisions
	t.Checks += other.Checks
	t.Crashes += other.Crashes
	t.Calms += other.Calms
	t.WithPolicies += other.WithPolicies
	t.WithOrdinals += other.WithOrdinals
	t.WithRanks += other.WithRanks
	t.WithGrowth += other.WithGrowth
	t.WithGates += other.WithGates
	t.WithBudgets += other.WithBudgets
	t.WithInPlace += other.WithInPlace
	t.WithAdditions += other.WithAdditions
	t.WithMoments += other.WithMoments
	for kind, n := range other.Kinds {
		t.Kinds[kind] += n
	}
	for fault, n := range other.Faults {
		t.Faults[fault] += n
	}
	for action, n := range other.Actions {
		t.Actions[action] += n
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
	fmt.Fprintf(out, "%10d lives with policies: %d drain pods, of which %d had failed; %d drained claims; %d repaired pods\n", t.WithPolicies,
		t.Actions[DrainPods], t.Actions[DrainRetries], t.Actions[DrainedClaims], t.Actions[Repairs])
	fmt.Fprintf(out, "%10d lives in which ordinals are reserved and sets paused\n", t.WithOrdinals)
	fmt.Fprintf(out, "%10d lives in which sets are updated by ranks\n", t.WithRanks)
	fmt.Fprintf(out, "%10d lives in which claims follow their templates\n", t.WithGrowth)
	fmt.Fprintf(out, "%10d lives in which somebody has to agree to updates\n", t.WithGates)
	fmt.Fprintf(out, "%10d lives in which sets respect a disruption budget\n", t.WithBudgets)
	fmt.Fprintf(out, "%10d lives in which pods are updated in place\n", t.WithInPlace)
	fmt.Fprintf(out, "%10d lives in which readiness depends on others\n", t.WithMoments)
	fmt.Fprintf(out, "%10d lives in which all policies meet, and claim templates are added\n", t.WithAdditions)
	fmt.Fprintf(out, "%10d writes\n%10d decisions\n%10d invariant checks\n%10d crashes\n%10d times stable once faults had stopped\n",
		t.Writes, t.Decisions, t.Checks, t.Crashes, t.Calms)
	for _, action := range slices.Sorted(maps.Keys(t.Actions)) {
		fmt.Fprintf(out, "%10d actions: %s\n", t.Actions[action], action)
	}
	for _, fault := range slices.Sorted(maps.Keys(t.Faults)) {
		fmt.Fprintf(out, "%10d calls failed: %s\n", t.Faults[fault], fault)
	}
	for _, kind := range slices.Sorted(maps.Keys(t.Kinds)) {
		fmt.Fprintf(out, "%10d commands: %s\n", t.Kinds[kind], kind)
	}
}
