package cli

import (
	"context"
	"fmt"

	"github.com/setplan/setplan/clients/cli/printable"
	"github.com/setplan/setplan/clients/cli/tape"
	"github.com/setplan/setplan/clients/cli/world"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// unasked is the planner of a session of which only the requests are wanted.
type unasked struct{}

// Plan implements adapters.Planner.
func (unasked) Plan(context.Context, *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	return &setplanv1.PlanResponse{Plan: &setplanv1.Plan{}}, nil
}

// useRequest is called with the request about a set, or with why there is none.
type useRequest func(set string, of *progress, request *setplanv1.PlanRequest, missing error) error

// requests calls use for each entry of a recording, or for each chosen set, one after another.
func (o *options) requests(ctx context.Context, args []string, recording string, use useRequest) error {
	if recording != "" {
		return o.recordedRequests(ctx, recording, use)
	}
	q, err := o.question(args)
	if err != nil {
		return err
	}
	if o.allNamespaces && o.file == "" && len(q.names) == 0 {
		return o.requestsEverywhere(ctx, q, use)
	}
	namespace, err := o.namespace()
	if err != nil {
		return err
	}
	s, err := o.openIn(ctx, q, namespace, unasked{})
	if err != nil {
		return err
	}
	if s.keys, err = o.chosen(s.world, namespace, q.sought); err != nil {
		return o.orElsewhere(ctx, q.sought, err)
	}
	return s.requests(ctx, o.progress(len(s.keys)), use)
}

// requestsEverywhere reads one namespace after another, so that it never holds more than one of them.
func (o *options) requestsEverywhere(ctx context.Context, q question, use useRequest) error {
	clients, err := o.clients()
	if err != nil {
		return err
	}
	namespaces, sets, err := world.NewCluster(clients, q.kind).Namespaces(ctx, o.selector)
	switch {
	case err != nil:
		return apiError(err)
	case sets == 0 && o.selector != "":
		return fmt.Errorf("no %s in any namespace has labels that match %s", q.kind.Kind, o.selector)
	case sets == 0:
		_, err := q.pick(nil, "")
		return o.orElsewhere(ctx, q.sought, err)
	}
	p := o.progress(sets)
	for _, namespace := range namespaces {
		s, err := o.openIn(ctx, q, namespace, unasked{})
		if err != nil {
			return err
		}
		if s.keys, err = o.matching(s.world, s.world.Keys(namespace)); err != nil {
			return err
		}
		if err := s.requests(ctx, p, use); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) requests(ctx context.Context, p *progress, use useRequest) error {
	if err := s.check(); err != nil {
		return err
	}
	for _, key := range s.keys {
		answer, err := s.asker.ask(ctx, key)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := use(key.String(), p, answer.request, err); err != nil {
			return err
		}
	}
	return nil
}

func (o *options) recordedRequests(ctx context.Context, file string, use useRequest) error {
	from, done, err := o.opened(file)
	if err != nil {
		return err
	}
	defer done()
	p, none := o.progress(0), true
	for entry, err := range tape.Entries(from) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		request, _, err := entry.Messages()
		if err != nil {
			return err
		}
		none = false
		if err := use(printable.Line(entry.Set)+" as of "+entry.Time.Format(timeFormat), p, request, nil); err != nil {
			return err
		}
	}
	if none {
		return fmt.Errorf("%s holds no entries", file)
	}
	return nil
}
