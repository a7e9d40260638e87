// Command setplan-explore visits every state that one small set can reach, under every order of events within its bounds, and
// checks every step. See package explore.
//
//	setplan-explore             minutes
//	setplan-explore -deep       an hour
//	setplan-explore -only 'Parallel.*drain.*adapters 2'    those whose line matches
//	setplan-explore -only 'ordinals reserved'
//	setplan-explore -only 'disruption budget'
//	setplan-explore -ordinals 2 -edits 2 -faults 0 -lag 1 -adapters 2    other bounds
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"time"

	"github.com/setplan/setplan/test/explore"
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
	only := flag.String("only", "", "search the configurations whose line this `expression` matches")
	flag.Parse()
	pattern, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "setplan-explore: -only:", err)
		os.Exit(2)
	}
	bounds.Edits, bounds.Faults, bounds.Lag = uint8(*edits), uint8(*faults), uint8(*lag)

	configs := slices.Concat(explore.Suites(*deep)...)
	if bounds.Ordinals > 0 {
		configs = slices.Concat(explore.Configs(bounds), explore.DrainConfigs(bounds), explore.OrdinalConfigs(bounds), explore.DayTwoConfigs(bounds))
	}
	configs = slices.DeleteFunc(configs, func(c explore.Config) bool { return !pattern.MatchString(c.String()) })
	began := time.Now()
	results := explore.RunAll(configs, *workers, os.Stdout)
	if !explore.Report(results, time.Since(began).Seconds(), os.Stdout) {
		fmt.Fprintln(os.Stderr, "setplan-explore: an invariant is broken")
		os.Exit(1)
	}
}
