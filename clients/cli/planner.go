package cli

import (
	"cmp"
	"context"
	"errors"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// planner is who is asked, and who that is.
type planner struct {
	adapters.Planner
	where string // embedded, or the address
	info  func(context.Context) (*setplanv1.GetServerInfoResponse, error)
	close func()
}

// embedded is where the planner in this program is.
const embedded = "embedded"

// Plan implements adapters.Planner.
func (p *planner) Plan(ctx context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	response, err := p.Planner.Plan(ctx, request)
	if err != nil {
		return nil, plannerError(p.where, err)
	}
	return response, nil
}

// version is the planner's release.
func (p *planner) version(ctx context.Context) (string, error) {
	info, err := p.info(ctx)
	if err != nil {
		return "", plannerError(p.where, err)
	}
	return info.GetVersion(), nil
}

// newPlanner is the planner that the flags ask for.
func (o *options) newPlanner() (*planner, error) {
	if err := o.planner.Check(); err != nil {
		return nil, err
	}
	if o.planner.Address == "" {
		inside := o.config.Embedded()
		info := func(ctx context.Context) (*setplanv1.GetServerInfoResponse, error) {
			return inside.GetServerInfo(ctx, &setplanv1.GetServerInfoRequest{})
		}
		return &planner{Planner: inside, where: embedded, info: info, close: func() {}}, nil
	}
	client, err := o.planner.Dial("setplan-cli")
	if err != nil {
		return nil, err
	}
	return &planner{Planner: client, where: o.planner.Address, info: client.ServerInfo, close: func() { _ = client.Close() }}, nil
}

// asker makes plans the way an adapter does, with its loop in observe mode, and keeps what was asked and answered.
type asker struct {
	planner adapters.Planner
	loop    *adapters.Loop
	last    exchange
	refused error // the planner's, in our words
}

// exchange is one question and its answer.
type exchange struct {
	request *setplanv1.PlanRequest
	plan    *setplanv1.Plan
}

func newAsker(source adapters.Source, planner adapters.Planner, behavior setplanv1.Behavior) *asker {
	a := &asker{planner: planner}
	a.loop = adapters.NewLoop(source, nil, a, adapters.Observers{}, adapters.Options{Behavior: behavior, ObserveOnly: true})
	return a
}

// Plan implements adapters.Planner for the loop.
func (a *asker) Plan(ctx context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	response, err := a.planner.Plan(ctx, request)
	a.last, a.refused = exchange{request: request, plan: response.GetPlan()}, err
	return response, err
}

// ask plans one set; adapters.ErrGone if it is not there.
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

// unwrapped drops the loop's own words, which name the set once more, from an error.
func unwrapped(err error) error {
	if inner := errors.Unwrap(err); inner != nil {
		return inner
	}
	return err
}
