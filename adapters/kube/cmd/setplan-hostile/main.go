// Command setplan-hostile measures what objects of one namespace cost a set of another: a healthy set is created, scaled and
// edited alone, and again beside each of a catalogue of hostile neighbours, on a real control plane and under a memory limit.
// `make hostile` builds what it needs and runs it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/setplan/setplan/adapters/kube/cmd/internal/testbed"
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

func main() {
	o := &options{}
	command := testbed.Command{
		Name: "setplan-hostile", Runs: 5,
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
	command.Main()
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
		result, err := beside(ctx, o, n, alone)
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

// place is a control plane and the adapter that works on it.
type place struct {
	*testbed.ControlPlane
	adapter *limited
}

func settle(ctx context.Context, o *options, name string) (*place, error) {
	plane, err := testbed.Up(ctx, o.Bin, name)
	if err != nil {
		return nil, err
	}
	adapter, err := startLimited(ctx, plane, o)
	if err != nil {
		return nil, errors.Join(err, plane.Down(false))
	}
	return &place{plane, adapter}, nil
}

func (p *place) leave(ok bool) error { return errors.Join(p.adapter.stop(), p.Down(ok)) }

// beside lets the healthy set live alone and beside one neighbour, by turns: what else the machine does falls on both. Each
// neighbour has a control plane and an adapter of its own, so that none finds what another has left.
func beside(ctx context.Context, o *options, n neighbour, alone *place) (r *result, err error) {
	here, err := settle(ctx, o, instance)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, here.leave(err == nil)) }()
	if _, err := live(ctx, here); err != nil { // what is only slow the first time is no neighbour's fault
		return nil, fmt.Errorf("alone: %w", err)
	}
	a, err := newAttacker(ctx, here.ControlPlane)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, a.stop()) }()
	if err := n.move(a); err != nil {
		return nil, fmt.Errorf("the neighbour moves in: %w", err)
	}
	r = &result{}
	for range o.Runs {
		for _, side := range []struct {
			place *place
			lives *[]life
		}{{alone, &r.alone}, {here, &r.beside}} {
			one, err := live(ctx, side.place)
			if err := errors.Join(side.place.adapter.exceeded(), err); err != nil {
				return nil, err
			}
			*side.lives = append(*side.lives, one)
		}
	}
	r.memoryAlone, r.memory = alone.adapter.peak(), here.adapter.peak()
	return r, nil
}
