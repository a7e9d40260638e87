package explore

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// Tally counts what was done.
type Tally struct {
	States, Transitions, Decisions, Clusters, FairSteps int64
	Checked                                             map[string]int64 // by invariant
	Seconds                                             float64
}

// Result is the result for one configuration.
type Result struct {
	Config    Config
	Tally     Tally
	Violation *Violation // nil: none
}

// Run explores one configuration.
func Run(config Config) Result {
	began := time.Now()
	result := Result{Config: config, Tally: Tally{Checked: map[string]int64{}}}
	s := newSearch(&config, &result.Tally)
	s.run()
	if s.broken != nil {
		result.Violation = traced(&config, packed{})
	} else if v, at := (&liveness{search: s, color: map[packed]uint8{}}).run(); v != nil {
		result.Violation = v
		if way := traced(&config, at); way != nil {
			v.Trace = append(way.Trace, "from here on, no more edits and faults")
		}
	}
	result.Tally.Clusters = int64(len(s.planner.known))
	result.Tally.Seconds = time.Since(began).Seconds()
	return result
}

// traced searches again and remembers the path, which would cost too much memory in every search.
func traced(config *Config, target packed) *Violation {
	s := newSearch(config, &Tally{Checked: map[string]int64{}})
	s.origin, s.target = map[node]origin{}, target
	s.run()
	if s.broken == nil {
		return nil
	}
	s.broken.Trace = s.trace(s.brokenAt)
	if s.brokenBecause != "" {
		s.broken.Trace = append(s.broken.Trace, s.brokenBecause+"   <-- "+s.broken.Error())
	}
	return s.broken
}

// RunAll explores configurations in parallel, and reports them in the order given.
func RunAll(configs []Config, workers int, out io.Writer) []Result {
	results := make([]Result, len(configs))
	done := make([]chan struct{}, len(configs))
	for i := range done {
		done[i] = make(chan struct{})
	}
	var running sync.WaitGroup
	jobs := make(chan int)
	for range workers {
		running.Go(func() {
			for i := range jobs {
				results[i] = Run(configs[i])
				close(done[i])
			}
		})
	}
	go func() {
		for i := range configs {
			jobs <- i
		}
		close(jobs)
	}()
	for i := range configs {
		<-done[i]
		t := &results[i].Tally
		fmt.Fprintf(out, "%s: %d states, %d transitions, %.1f s%s\n", &configs[i], t.States, t.Transitions, t.Seconds,
			verdict(results[i].Violation))
	}
	running.Wait()
	return results
}

func verdict(v *Violation) string {
	if v == nil {
		return ""
	}
	return ", VIOLATES " + v.Invariant
}

// Report prints the sums, and the first violation with its path. It reports whether there was none.
func Report(results []Result, seconds float64, out io.Writer) bool {
	sum := Tally{Checked: map[string]int64{}}
	var first *Result
	violations := 0
	for i := range results {
		t := &results[i].Tally
		sum.States += t.States
		sum.Transitions += t.Transitions
		sum.Decisions += t.Decisions
		sum.Clusters += t.Clusters
		sum.FairSteps += t.FairSteps
		for name, n := range t.Checked {
			sum.Checked[name] += n
		}
		if results[i].Violation != nil {
			if violations++; first == nil {
				first = &results[i]
			}
		}
	}
	fmt.Fprintf(out, "\nconfigurations  %d\nstates          %d\ntransitions     %d\nseconds         %.0f\n", len(results), sum.States,
		sum.Transitions, seconds)
	fmt.Fprintf(out, "clusters        %d (states of the cluster alone: each was planned for, and run to rest)\n", sum.Clusters)
	fmt.Fprintf(out, "fair steps      %d\ndecisions       %d\ninvariants checked\n", sum.FairSteps, sum.Decisions)
	names := make([]string, 0, len(sum.Checked))
	for name := range sum.Checked {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(out, "  %-28s %d\n", name, sum.Checked[name])
	}
	fmt.Fprintf(out, "violations      %d\n", violations)
	if first != nil {
		fmt.Fprintf(out, "\n%s\n%s\n", &first.Config, first.Violation)
		for _, step := range first.Violation.Trace {
			fmt.Fprintf(out, "  %s\n", step)
		}
	}
	return violations == 0
}
