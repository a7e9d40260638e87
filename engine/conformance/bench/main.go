package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/setplan/setplan/engine"
)

// scenarios are what is measured; wants is a word that the plan must hold, so that nothing else is measured.
var scenarios = []struct {
	name  string
	make  func(pods int) (*work, error)
	wants func(*engine.Plan) bool
}{
	{"steady", func(n int) (*work, error) { return newWork(n, n, appsv1.OrderedReadyPodManagement, false) },
		func(p *engine.Plan) bool { return p.Converged }},
	{"rolling-update", func(n int) (*work, error) { return newWork(n, n, appsv1.OrderedReadyPodManagement, true) },
		func(p *engine.Plan) bool { return actions(p, engine.PhaseUpdate) == 1 }},
	{"scale-up", func(n int) (*work, error) { return newWork(n, 0, appsv1.ParallelPodManagement, false) },
		func(p *engine.Plan) bool { return actions(p, engine.PhaseReplicas) > 0 }},
}

func main() {
	turns := flag.Int("turns", 15, "turns of each side; at least 10 make a median worth quoting")
	flag.Parse()
	if err := run(*turns); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(turns int) error {
	fmt.Printf("%d processors, %s; medians of %d turns\n", runtime.NumCPU(), runtime.Version(), turns)
	for _, scenario := range scenarios {
		for _, pods := range []int{3, 10, 100, 1000, 10000} {
			w, err := scenario.make(pods)
			if err != nil {
				return err
			}
			plan := engine.Decide(w.snapshot)
			if !scenario.wants(plan) {
				return fmt.Errorf("%s of %d pods plans something else:\n%.2000s", scenario.name, pods, engine.Describe(plan))
			}
			control := w.control()
			upstream := func() { _, err = control.UpdateStatefulSet(context.Background(), w.set, w.pods, noon) }
			ours := func() { w.decideAll(plan.Truncated) }
			a, b := medians(turns, ours, upstream)
			if err != nil {
				return err
			}
			fmt.Printf("BENCH %s/%d ours=%d upstream=%d ratio=%.1f\n", scenario.name, pods, a, b, float64(b)/float64(a))
		}
	}
	return nil
}

// decideAll makes every plan that the same work takes: a plan is cut at its cap, and then the next one is counted too,
// as if the first had been carried out.
func (w *work) decideAll(truncated bool) {
	plan := engine.Decide(w.snapshot)
	if !truncated {
		return
	}
	done := actions(plan, engine.PhaseReplicas) / 2 // a claim and a pod for each ordinal
	for rest := int(w.snapshot.Set.Replicas) - done; rest > 0; rest -= done {
		engine.Decide(w.snapshot)
	}
}

func actions(p *engine.Plan, phase engine.Phase) (n int) {
	for _, stage := range p.Stages {
		if stage.Phase == phase {
			for _, step := range stage.Steps {
				n += len(step.Actions)
			}
		}
	}
	return n
}

// medians lets two functions take turns and returns the median time of one call of each, in nanoseconds.
func medians(turns int, a, b func()) (int64, int64) {
	timesA, timesB := make([]int64, turns), make([]int64, turns)
	callsA, callsB := enough(a), enough(b)
	for i := range turns {
		timesA[i] = perCall(a, callsA)
		timesB[i] = perCall(b, callsB)
	}
	slices.Sort(timesA)
	slices.Sort(timesB)
	return timesA[turns/2], timesB[turns/2]
}

// turn is how long one turn should last: long against the clock's grain and the collector's pauses.
const turn = 30 * time.Millisecond

// enough is how many calls fill a turn.
func enough(f func()) int {
	f()
	for n := 1; ; n *= 2 {
		begin := time.Now()
		for range n {
			f()
		}
		if time.Since(begin) >= turn || n > 1<<20 {
			return n
		}
	}
}

func perCall(f func(), calls int) int64 {
	runtime.GC()
	begin := time.Now()
	for range calls {
		f()
	}
	return time.Since(begin).Nanoseconds() / int64(calls)
}
