// Command setplan-explore visits every state that one small set can get into, under every order of events within its
// bounds, and checks every step. See package explore.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/setplan/setplan/adapters/sim/explore"
)

func main() {
	bounds := explore.Default()
	flag.IntVar(&bounds.Ordinals, "ordinals", bounds.Ordinals, "replicas and partition are 0 to this (at most 4)")
	edits := flag.Uint("edits", uint(bounds.Edits), "edits of the spec on one path")
	faults := flag.Uint("faults", uint(bounds.Faults), "faults on one path")
	lag := flag.Uint("lag", uint(bounds.Lag), "how many writes old a view may be")
	flag.IntVar(&bounds.Adapters, "adapters", bounds.Adapters, "plans in flight at once: 1 or 2")
	flag.BoolVar(&bounds.RetentionEdits, "retention-edits", bounds.RetentionEdits, "the retention policy may be edited")
	workers := flag.Int("workers", runtime.NumCPU(), "configurations at once")
	flag.Parse()
	bounds.Edits, bounds.Faults, bounds.Lag = uint8(*edits), uint8(*faults), uint8(*lag)

	began := time.Now()
	results := explore.RunAll(explore.Configs(bounds), *workers, os.Stdout)
	if !explore.Report(results, time.Since(began).Seconds(), os.Stdout) {
		fmt.Fprintln(os.Stderr, "setplan-explore: an invariant is broken")
		os.Exit(1)
	}
}
