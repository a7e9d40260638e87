package faults

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// RunAll lives n lives, each with the next seed, tells how it goes, and reports whether all held. A life in which
// something does not hold is shrunk and printed as a story.
func RunAll(seed uint64, n int, bounds Bounds, workers int, out io.Writer) bool {
	began := time.Now()
	seeds := make(chan uint64)
	var group sync.WaitGroup
	var mu sync.Mutex
	total, commands, broken := NewTally(), 0, 0
	for range workers {
		group.Go(func() {
			for s := range seeds {
				life := Live(s, bounds, nil)
				failure := ""
				if life.Problem != "" {
					failure = Failure(life, nil)
				}
				mu.Lock()
				total.Add(life.Tally)
				commands += len(life.Steps)
				fmt.Fprintf(out, "%6.0fs seed %d: %d commands, %d writes, %d decisions, %d times stable\n", time.Since(began).Seconds(), s,
					len(life.Steps), life.Tally.Writes, life.Tally.Decisions, life.Tally.Calms)
				if failure != "" {
					broken++
					fmt.Fprintln(out, failure)
				}
				mu.Unlock()
			}
		})
	}
	for i := range n {
		seeds <- seed + uint64(i)
	}
	close(seeds)
	group.Wait()
	fmt.Fprintf(out, "%10d lives, seeds %d to %d, %d sets each\n%10d commands\n", n, seed, seed+uint64(n)-1, bounds.Sets, commands)
	total.Print(out)
	fmt.Fprintf(out, "%10d lives in which something did not hold\n%10.0f seconds\n", broken, time.Since(began).Seconds())
	return broken == 0
}

// Failure tells what went wrong in a life: the seed, the problem, and the shortest story that has it.
func Failure(life *Life, plan Planner) string {
	story := Shrink(life.Steps, life.Problem, plan)
	return fmt.Sprintf("seed %d: %s\n\nThe shortest story with this problem has %d commands of %d:\n\n%s", life.Seed, life.Problem,
		len(story), len(life.Steps), Story(story, plan))
}
