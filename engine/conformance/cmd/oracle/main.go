// Command oracle runs upstream's controller and ours on generated worlds and prints every difference.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/setplan/setplan/engine/conformance/oracle"
)

func main() {
	n := flag.Int("n", 100_000, "number of worlds")
	seed := flag.Int64("seed", 1, "seed of the run")
	first := flag.Int("first", 0, "number of the first world")
	limit := flag.Int("limit", 5, "end after so many divergences; 0: never")
	faults := flag.Bool("faults", false, "run each world once more with one of its requests refused")
	flag.Parse()
	begin := time.Now()
	report := oracle.Run(oracle.Options{First: *first, Count: *n, Seed: *seed, Workers: runtime.GOMAXPROCS(0), Faults: *faults, Limit: *limit})
	classes := map[string]int{}
	for _, d := range report.Divergences {
		classes[d.Class]++
		if classes[d.Class] > 1 {
			continue
		}
		fmt.Printf("--- world %d of seed %d: %s\n", d.Index, *seed, d.Divergence)
	}
	fmt.Println(report.Worlds, "worlds", len(report.Divergences), "divergences", time.Since(begin))
	for c, k := range classes {
		fmt.Println(k, c)
	}
	for _, a := range oracle.Allowances() {
		fmt.Println(report.Allowed[a], a.Name)
	}
	if len(report.Divergences) > 0 {
		os.Exit(1)
	}
}
