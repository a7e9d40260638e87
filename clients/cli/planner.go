package cli

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/plannerflags"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// planner is a planner and where it is.
type planner struct {
	adapters.Planner
	where   string // embedded, or the address
	info    func(context.Context) (*setplanv1.GetServerInfoResponse, error)
	foresee func(context.Context, *setplanv1.ForecastRequest, func(*setplanv1.ForecastStep) error) (*setplanv1.ForecastResult, error)
	close   func()
}

// embedded is the place of the planner in this program.
const embedded = "embedded"

// Plan implements adapters.Planner.
func (p *planner) Plan(ctx context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	response, err := p.Planner.Plan(ctx, request)
	if err != nil {
		return nil, plannerError(p.where, err)
	}
	return response, nil
}

// forecastTime is for a forecast as a whole: one of a thousand pods takes seconds.
const forecastTime = 30 * time.Second

// forecast returns all of a forecast.
func (p *planner) forecast(ctx context.Context, request *setplanv1.ForecastRequest) (steps []*setplanv1.ForecastStep, result *setplanv1.ForecastResult, err error) {
	ctx, cancel := context.WithTimeout(ctx, forecastTime)
	defer cancel()
	result, err = p.foresee(ctx, request, func(step *setplanv1.ForecastStep) error {
		steps = append(steps, step)
		return nil
	})
	if err != nil {
		return nil, nil, plannerError(p.where, err)
	}
	return steps, result, nil
}

// version returns the planner's release.
func (p *planner) version(ctx context.Context) (string, error) {
	info, err := p.info(ctx)
	if err != nil {
		return "", plannerError(p.where, err)
	}
	return info.GetVersion(), nil
}

// newPlanner makes the planner that the flags ask for.
func (o *options) newPlanner() (*planner, error) {
	flags := o.planner
	if flags.Address == embedded {
		flags.Address = ""
	}
	if err := flags.Check(); err != nil {
		return nil, err
	}
	return o.plannerOf(flags)
}

// plannerOf makes a planner of flags that have been checked.
func (o *options) plannerOf(flags plannerflags.Flags) (*planner, error) {
	if flags.Address == "" {
		inside := o.config.Embedded()
		info := func(ctx context.Context) (*setplanv1.GetServerInfoResponse, error) {
			return inside.GetServerInfo(ctx, &setplanv1.GetServerInfoRequest{})
		}
		return &planner{Planner: inside, where: embedded, info: info, foresee: inside.Foresee, close: func() {}}, nil
	}
	client, err := flags.Dial("setplan-cli")
	if err != nil {
		return nil, err
	}
	return &planner{Planner: client, where: flags.Address, info: client.ServerInfo, foresee: client.Forecast, close: func() { _ = client.Close() }}, nil
}

// asker gets plans the way an adapter does, with its loop in observe mode, and keeps requests and answers.
type asker struct {
	planner  adapters.Planner
	behavior setplanv1.Behavior
	loop     *adapters.Loop
	last     exchange
	refused  error // the planner's, in our words
}

// exchange is a request and its answer.
type exchange struct {
	request *setplanv1.PlanRequest
	plan    *setplanv1.Plan
}

func newAsker(source adapters.Source, planner adapters.Planner, behavior setplanv1.Behavior) *asker {
	a := &asker{planner: planner, behavior: behavior}
	a.use(source)
	return a
}

// use has the asker make snapshots of another source.
func (a *asker) use(source adapters.Source) {
	a.loop = adapters.NewLoop(source, nil, a, adapters.Observers{}, adapters.Options{Behavior: a.behavior, ObserveOnly: true})
}

// Plan implements adapters.Planner for the loop.
func (a *asker) Plan(ctx context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	response, err := a.planner.Plan(ctx, request)
	a.last, a.refused = exchange{request: request, plan: response.GetPlan()}, err
	return response, err
}

// ask gets the plan of one set, or adapters.ErrGone.
func (a *asker) ask(ctx context.Context, key adapters.Key) (exchange, error) {
	a.last, a.refused = exchange{}, nil
	if _, err := a.loop.Reconcile(ctx, key); err != nil {
		return exchange{}, cmp.Or(a.refused, unwrapped(err))
	}
	if a.last.plan == nil {
		return exchange{}, adapters.ErrGone
	}
	return a.last, nil
}

// unwrapped drops the loop's words from an error, which repeat the set's name.
func unwrapped(err error) error {
	if inner := errors.Unwrap(err); inner != nil {
		return inner
	}
	return err
}
