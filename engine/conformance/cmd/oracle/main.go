// Command oracle runs upstream's StatefulSet controller and the engine on generated worlds and prints every difference.
//
//	go run ./cmd/oracle -n 2000000 -seed 7
//	go run ./cmd/oracle -seed 7 -first 4538 -n 1     one world again
//	go run ./cmd/oracle -save DIR                    also write each divergence, shrunk, into a file
//	go run ./cmd/oracle -coverage -n 20000           and how much of upstream the worlds reach
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/setplan/setplan/engine/conformance/oracle"
)

func main() {
	debug.SetGCPercent(oracle.GCPercent)
	o := oracle.Options{Workers: runtime.GOMAXPROCS(0)}
	flag.IntVar(&o.Count, "n", 100_000, "number of worlds")
	flag.IntVar(&o.First, "first", 0, "number of the first world")
	flag.Int64Var(&o.Seed, "seed", 1, "seed of the worlds")
	flag.IntVar(&o.Limit, "limit", 10, "end after so many divergences; 0: never")
	flag.BoolVar(&o.Faults, "faults", true, "run each world once more with one of its requests refused")
	save := flag.String("save", "", "folder for the worlds of divergences, shrunk; empty: none is written")
	note := flag.String("note", "what both sides did not agree on", "first line of each saved world: what it has caught")
	coverage := flag.Bool("coverage", false, "measure the statements of upstream that are reached, by running the tests")
	flag.Parse()

	if *coverage {
		if err := printCoverage(o.Count, o.Seed); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	begin := time.Now()
	last := begin
	o.Progress = func(r oracle.Report) {
		if time.Since(last) > 10*time.Second {
			last = time.Now()
			fmt.Printf("%d worlds, %d divergences, %.0f s\n", r.Worlds, len(r.Divergences), time.Since(begin).Seconds())
		}
	}
	report := oracle.Run(o)
	for _, d := range shrunk(report.Divergences, o.Seed) {
		if *save == "" {
			break
		}
		path, err := oracle.Save(*save, d, *note)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("saved %s\n", path)
	}
	printReport(report)
	fmt.Printf("seed %d: %d worlds, %d of them once more with a refused request, %d divergences, %.1f s\n",
		o.Seed, report.Worlds, report.Faults, len(report.Divergences), time.Since(begin).Seconds())
	if len(report.Divergences) > 0 {
		os.Exit(1)
	}
}

// shrunk shows the first of each class, as small as it gets, and the numbers of the others; it returns those shown.
func shrunk(found []oracle.Found, seed int64) []oracle.Found {
	var out []oracle.Found
	seen := map[string]bool{}
	for _, d := range found {
		if seen[d.Class] {
			fmt.Printf("world %d: %s\n", d.Index, d.Class)
			continue
		}
		seen[d.Class] = true
		d.Divergence = oracle.Shrink(d.Divergence, oracle.Rules(d.World.Gate))
		fmt.Printf("--- world %d, shrunk (again: -seed %d -first %d -n 1)\n%s\n", d.Index, seed, d.Index, d.Divergence)
		out = append(out, d)
	}
	return out
}

func printReport(r oracle.Report) {
	fmt.Println("requests of upstream:")
	for _, op := range slices.Sorted(maps.Keys(r.Writes)) {
		fmt.Printf("  %9d  %s\n", r.Writes[op], op)
	}
	fmt.Println("allowed differences:")
	for _, a := range oracle.Allowances() {
		fmt.Printf("  %9d  %s: upstream %s; ours: %s\n", r.Allowed[a], a.Name, a.Upstream, a.Here)
	}
}
