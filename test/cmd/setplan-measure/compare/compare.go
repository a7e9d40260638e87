// Package compare measures the adapter and the server against the StatefulSet controller of Kubernetes: both do the
// same work, one after the other, on one real control plane.
package compare

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// instance is the name of the control plane, under .local in the repository.
const instance = "compare"

// options are the command line.
type options struct {
	*testbed.Choice
	check bool
}

// Command is what measures that.
func Command() *testbed.Command {
	o := &options{}
	return &testbed.Command{
		Name: "compare", Runs: 3,
		RunsUsage: "how often each side does each scenario; the report has medians",
		OnlyUsage: "regular `expression`: the scenarios to run",
		Register: func(set *flag.FlagSet) {
			set.BoolVar(&o.check, "check", false, "fail where we cost more than the built-in controller")
		},
		Measure: func(ctx context.Context, choice *testbed.Choice) error {
			o.Choice = choice
			return run(ctx, o)
		},
	}
}

// run measures, reports, and stops everything that it has started.
func run(ctx context.Context, o *options) (err error) {
	up, err := testbed.Up(ctx, o.Bin, instance, "--audit")
	if err != nil {
		return err
	}
	plane := &controlPlane{up}
	defer func() {
		if downErr := plane.Down(err == nil); err == nil {
			err = downErr
		}
	}()
	sides := testbed.Sides(up)
	for _, s := range sides {
		fmt.Printf("%-8s %s\n", s.Name, strings.Join(s.Settings, " "))
	}
	results := results{}
	for _, scenario := range scenarios {
		if !o.Picks(scenario.name) {
			continue
		}
		fmt.Printf("\n%s: %s\n", scenario.name, scenario.what)
		for round := range o.Runs {
			// Each round begins with another side, so that no side is always the first after a pause.
			for i := range sides {
				s := sides[(round+i)%len(sides)]
				began := time.Now()
				cost, err := measure(ctx, plane, s, scenario)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", scenario.name, s.Name, err)
				}
				results.add(scenario.name, s.Name, cost)
				fmt.Printf("  %d/%d %-8s %s (%.0f s with preparation and cleaning up)\n", round+1, o.Runs, s.Name, cost, time.Since(began).Seconds())
			}
		}
	}
	return results.report(os.Stdout, o.check)
}
