// Package scale measures the adapter and the server against the StatefulSet controller of Kubernetes on a cluster with
// many sets, nearly all at rest: what starting and resting cost, and how long an edit waits.
package scale

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// instance is the name of the control plane, under .local in the repository.
const instance = "scale"

// options are the command line.
type options struct {
	*testbed.Choice
	singles, threes int
	edits, rolling  int
	rest            time.Duration
	check           bool
}

// Command is what measures that.
func Command() *testbed.Command {
	o := &options{}
	return &testbed.Command{
		Name: "scale", Runs: 1,
		RunsUsage: "how often each side is measured; the report has medians",
		OnlyUsage: "regular `expression`: the scenarios to run",
		Register:  o.register,
		Measure: func(ctx context.Context, choice *testbed.Choice) error {
			o.Choice = choice
			if err := o.complete(); err != nil {
				return err
			}
			return run(ctx, o)
		},
	}
}

func (o *options) register(set *flag.FlagSet) {
	set.IntVar(&o.singles, "sets", 20000, "sets of one pod")
	set.IntVar(&o.threes, "threes", -1, "sets of three pods; a quarter as many as those of one unless it is given")
	set.IntVar(&o.edits, "edits", 200, "edits, each of another set, for each time that edits are measured")
	set.IntVar(&o.rolling, "rolling", -1, "sets that roll while others are edited; a fortieth of those of one pod, and 20 at least, unless it is given")
	set.DurationVar(&o.rest, "rest", 5*time.Minute, "how long a side is watched while nothing happens")
	set.BoolVar(&o.check, "check", false, fmt.Sprintf("fail where a ratio is above %g", goal))
}

func (o *options) complete() error {
	if o.threes < 0 {
		o.threes = o.singles / 4
	}
	if o.rolling < 0 {
		o.rolling = max(20, o.singles/40)
	}
	if all := o.singles + o.threes; o.singles < 1 || o.edits < 1 || o.rolling < 1 || o.edits+o.rolling > all/2 {
		return errors.New("there must be sets, edits and sets that roll, and at least half of the sets must be left alone")
	}
	return nil
}

// run measures, reports, and stops everything that it has started.
func run(ctx context.Context, o *options) (err error) {
	sets := arrange(o)
	plane, err := testbed.Up(ctx, o.Bin, instance, "--audit", "--nodes", strconv.Itoa(sets.nodes()))
	if err != nil {
		return err
	}
	defer func() {
		if downErr := plane.Down(err == nil); err == nil {
			err = downErr
		}
	}()
	sides := testbed.Sides(plane)
	for _, s := range sides {
		fmt.Printf("%-8s %s\n", s.Name, strings.Join(s.Settings, " "))
	}
	here := &place{ControlPlane: plane, options: o, every: sets, results: &results{}, namespaces: map[string]bool{}}
	// The costs of a quarter of the sets show how cost grows.
	for _, upTo := range []int{len(sets) / 4, len(sets)} {
		if err := here.populate(ctx, upTo); err != nil {
			return err
		}
		for round := range o.Runs {
			// Each round begins with another side, so that no side is always the first after a pause.
			for i := range sides {
				if err := here.measure(ctx, sides[(round+i)%len(sides)]); err != nil {
					return err
				}
			}
		}
	}
	return here.results.report(os.Stdout, o.check)
}
