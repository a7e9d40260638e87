// Package hostile measures what the objects of one namespace cost a set in another: a healthy set is created, scaled
// and edited alone, and again beside each of a catalogue of hostile neighbours, on a real control plane and under a memory
// limit; and once more beside the same neighbours when the built-in controller runs both.
package hostile

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// instance is the name of the control plane, under .local in the repository.
const instance = "hostile"

// options are the command line.
type options struct {
	*testbed.Choice
	memory  int
	most    float64
	adapter string
}

// Command is what measures that.
func Command() *testbed.Command {
	o := &options{}
	return &testbed.Command{
		Name: "hostile", Runs: 5,
		RunsUsage: "how often the healthy set lives its life beside each neighbour; medians count",
		OnlyUsage: "regular `expression`: the neighbours to run",
		Register: func(set *flag.FlagSet) {
			set.IntVar(&o.memory, "memory", 512, "`MiB` of memory that the adapter may use: it is told 3/4 of it, and killed beyond it")
			set.Float64Var(&o.most, "most", 2, "the largest `ratio` of the healthy set's times that is no failure")
			set.StringVar(&o.adapter, "adapter", "setplan-adapter", "program to measure, beside this one")
		},
		Measure: func(ctx context.Context, choice *testbed.Choice) error {
			o.Choice = choice
			if o.memory < 1 {
				return errors.New("-memory has to be at least 1")
			}
			return run(ctx, o)
		},
	}
}

func run(ctx context.Context, o *options) (err error) {
	alone, err := settle(ctx, o, instance+"-alone")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, alone.leave(err == nil)) }()
	var failed []error
	for _, n := range neighbours {
		if !o.Picks(n.name) || ctx.Err() != nil {
			continue
		}
		fmt.Printf("\n%s: %s\n", n.name, n.what)
		result, err := measure(ctx, o, n, alone)
		if err == nil {
			err = result.report(os.Stdout, o)
		}
		if err != nil {
			fmt.Println("  FAILED:", err)
			failed = append(failed, fmt.Errorf("%s: %w", n.name, err))
		}
	}
	return errors.Join(append(failed, ctx.Err())...)
}

// measure runs the healthy set alone and beside one neighbour, in turns: other load on the machine affects both. Then it runs
// the set beside the same neighbour with the built-in controller running both: those times show what the neighbour costs the
// control plane itself.
func measure(ctx context.Context, o *options, n neighbour, alone *place) (*result, error) {
	r := &result{}
	here, err := settle(ctx, o, instance)
	if err != nil {
		return nil, err
	}
	if err := withNeighbour(ctx, n, here, func() error {
		for range o.Runs {
			if err := errors.Join(alone.again(ctx, &r.alone), here.again(ctx, &r.beside)); err != nil {
				return err
			}
		}
		r.memoryAlone, r.memory = alone.peak(), here.peak()
		return nil
	}); err != nil {
		return nil, err
	}
	there, err := settleBuiltin(ctx, o, instance)
	if err != nil {
		return nil, err
	}
	return r, withNeighbour(ctx, n, there, func() error {
		for range o.Runs {
			switch err := there.again(ctx, &r.builtin); {
			case errors.Is(err, errTooMuch):
				r.builtinEnds = fmt.Sprintf("is killed at %d MiB", builtinMost>>20)
				return nil
			case errors.Is(err, errStarves):
				r.builtinEnds = "lets it starve"
				return nil
			case err != nil:
				return err
			}
		}
		return nil
	})
}
