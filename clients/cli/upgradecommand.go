package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/upgrade"
	"github.com/setplan/setplan/clients/plannerflags"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// disrupted is the result of a forecast with two planners if the newer one takes away what the old one leaves.
type disrupted struct{ sets int }

func (d *disrupted) Error() string {
	return fmt.Sprintf("the upgrade would delete or restart what the old planner leaves alone: sets %d", d.sets)
}

// errNotCompared is for sets whose request a planner refuses.
var errNotCompared = errors.New("not every set could be compared")

// runUpgrade forecasts each set with two planners.
func (o *options) runUpgrade(ctx context.Context, args []string, f *forecastOptions) error {
	if err := cmp.Or(o.checkOutput(), f.checkUpgrade(o, args)); err != nil {
		return err
	}
	old, now, err := o.bothPlanners(f.oldPlanner)
	if err != nil {
		return err
	}
	defer old.close()
	defer now.close()
	report := &upgrade.Report{Differ: []upgrade.Set{}, NotCompared: []upgrade.Failed{}, Out: o.text(), Most: mostLines, Quiet: o.machine()}
	if report.Old, err = named(ctx, old); err != nil {
		return err
	}
	if report.New, err = named(ctx, now); err != nil {
		return err
	}
	err = o.requests(ctx, args, f.recording, func(name string, of *progress, request *setplanv1.PlanRequest, missing error) error {
		defer of.step()
		if missing != nil {
			return report.Failed(name, missing)
		}
		difference, err := compared(ctx, old, now, &setplanv1.ForecastRequest{Start: request})
		switch {
		case err == nil:
			return report.Compared(name, difference)
		case ofTheRequest(ctx, err):
			return report.Failed(name, err)
		}
		return err
	})
	if err != nil {
		return err
	}
	if o.machine() {
		err = o.printValue(report)
	} else {
		err = report.End()
	}
	switch {
	case err != nil:
		return err
	case report.Disrupted > 0:
		return &disrupted{report.Disrupted}
	case !report.Whole():
		return errNotCompared
	}
	return nil
}

func (f *forecastOptions) checkUpgrade(o *options, args []string) error {
	switch {
	case f.manifest != "" || f.back || f.pessimistic || f.exitCode:
		return errors.New("--old-planner-address compares sets in their current state and always sets the exit code: " +
			"it cannot be used with -f, --to-revision, --pessimistic or --exit-code")
	case f.recording != "" && (len(args) > 0 || o.file != "" || o.at != "" || o.allNamespaces || o.selector != ""):
		return errors.New("--recording has the sets and their time: it cannot be used with SET, --objects, --at, --all-namespaces or --selector")
	}
	return nil
}

// bothPlanners makes the old planner, and the one that the other commands ask. The flags besides the addresses are for both, unless one of
// them is in this program.
func (o *options) bothPlanners(oldAddress string) (old, now *planner, err error) {
	addresses := [2]string{oldAddress, o.planner.Address}
	for i := range addresses {
		if addresses[i] == embedded {
			addresses[i] = ""
		}
	}
	if addresses == [2]string{} {
		return nil, nil, errors.New("both planners are the one in this program; give another address with --old-planner-address or --planner-address")
	}
	var planners [2]*planner
	for i, address := range addresses {
		flags := plannerflags.Flags{}
		if address != "" {
			flags = o.planner
			flags.Address = address
		}
		if err := flags.Check(); err != nil {
			return nil, nil, err
		}
		if planners[i], err = o.plannerOf(flags); err != nil {
			return nil, nil, err
		}
	}
	return planners[0], planners[1], nil
}

func named(ctx context.Context, p *planner) (upgrade.Planner, error) {
	version, err := p.version(ctx)
	return upgrade.Planner{Address: p.where, Version: version}, err
}

// compared asks both planners the same.
func compared(ctx context.Context, old, now *planner, request *setplanv1.ForecastRequest) (*upgrade.Difference, error) {
	var foreseen [2]upgrade.Foreseen
	for i, p := range []*planner{old, now} {
		steps, result, err := p.forecastPatiently(ctx, request)
		if err != nil {
			return nil, err
		}
		foreseen[i] = upgrade.Foreseen{Steps: steps, Result: result}
	}
	return upgrade.Between(foreseen[0], foreseen[1]), nil
}

// forecastPatiently is forecast, which comes again where a busy planner asks for it: thousands of sets come to any limit.
func (p *planner) forecastPatiently(ctx context.Context, request *setplanv1.ForecastRequest) ([]*setplanv1.ForecastStep, *setplanv1.ForecastResult, error) {
	for {
		steps, result, err := p.forecast(ctx, request)
		after, busy := adapters.ComeAgain(err)
		if err == nil || !busy {
			return steps, result, err
		}
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(after):
		}
	}
}

// ofTheRequest reports whether a planner fails at one request, and not at every one.
func ofTheRequest(ctx context.Context, err error) bool {
	switch status.Code(err) {
	case codes.InvalidArgument, codes.FailedPrecondition, codes.ResourceExhausted, codes.Internal, codes.DeadlineExceeded:
		return ctx.Err() == nil
	default:
		return false
	}
}
