// Command setplan-explore visits every state that one small set can get into, under every order of events within its
// bounds, and checks every step. See package explore.
//
//	setplan-explore             minutes
//	setplan-explore -deep       an hour or more
//	setplan-explore -ordinals 2 -edits 2 -faults 0 -lag 1 -adapters 2    other bounds
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/setplan/setplan/adapters/sim/explore"
)

func main() {
	var bounds explore.Bounds
	deep := flag.Bool("deep", false, "larger bounds")
	flag.IntVar(&bounds.Ordinals, "ordinals", 0, "own bounds: replicas and partition are 0 to this, at most 4")
	edits := flag.Uint("edits", 1, "own bounds: edits of the spec on one path")
	faults := flag.Uint("faults", 1, "own bounds: faults on one path")
	lag := flag.Uint("lag", 1, "own bounds: how many writes old a view may be")
	flag.IntVar(&bounds.Adapters, "adapters", 1, "own bounds: plans in flight at once, 1 or 2")
	flag.BoolVar(&bounds.RetentionEdits, "retention-edits", false, "own bounds: the retention policy may be edited")
	workers := flag.Int("workers", runtime.NumCPU(), "configurations at once")
	flag.Parse()
	bounds.Edits, bounds.Faults, bounds.Lag = uint8(*edits), uint8(*faults), uint8(*lag)

	configs := slices.Concat(explore.Suites(*deep)...)
	if bounds.Ordinals > 0 {
		configs = slices.Concat(explore.Configs(bounds), explore.DrainConfigs(bounds))
	}
	began := time.Now()
	results := explore.RunAll(configs, *workers, os.Stdout)
	if !explore.Report(results, time.Since(began).Seconds(), os.Stdout) {
		fmt.Fprintln(os.Stderr, "setplan-explore: an invariant is broken")
		os.Exit(1)
	}
}
