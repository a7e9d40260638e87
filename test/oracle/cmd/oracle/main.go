// Command oracle runs upstream's StatefulSet controller and the engine on generated worlds and prints every difference.
//
//	go run ./cmd/oracle -n 2000000 -seed 7
//	go run ./cmd/oracle -n 0 -lives 5000 -seed 7     whole lives, not single passes
//	go run ./cmd/oracle -seed 7 -first 4538 -n 1     one world again
//	go run ./cmd/oracle -save DIR                    also write each divergence, shrunk, into a file
//	go run ./cmd/oracle -coverage -n 20000           and how much of upstream the worlds reach
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/setplan/setplan/test/oracle"
)

func main() {
	debug.SetGCPercent(oracle.GCPercent)
	o := oracle.Options{Workers: runtime.GOMAXPROCS(0)}
	flag.IntVar(&o.Count, "n", 100_000, "number of worlds")
	lives := flag.Int("lives", 0, "number of worlds to let live, beside")
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
	o.Count = *lives
	lived := oracle.RunLives(o)
	found := append(report.Divergences, lived.Divergences...)
	shown := shrunk(found, o.Seed)
	if *save != "" {
		saveAll(*save, *note, shown)
	}
	printReport(report)
	if *lives > 0 {
		fmt.Printf("%d lives of %d passes in all, %d came to rest\n", lived.Lives, lived.Passes, lived.Rested)
	}
	fmt.Printf("seed %d: %d worlds, %d of them once more with a refused request, %d divergences, %.1f s\n",
		o.Seed, report.Worlds, report.Faults, len(found), time.Since(begin).Seconds())
	if len(found) > 0 {
		os.Exit(1)
	}
}
