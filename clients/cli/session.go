package cli

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/clients/cli/printable"
	"github.com/setplan/setplan/clients/cli/world"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// session holds what one run of a command looks at.
type session struct {
	at      time.Time
	kind    kube.SetKind
	world   *world.World
	cluster *world.Cluster // nil where a file was read
	keys    []adapters.Key
	planner *planner
	asker   *asker
}

// question is what the flags and arguments ask about.
type question struct {
	at       time.Time
	behavior setplanv1.Behavior
	sought
}

func (o *options) question(args []string) (q question, err error) {
	if q.at, err = o.clock(); err != nil {
		return q, err
	}
	if q.behavior, err = o.preset(); err != nil {
		return q, err
	}
	q.sought, err = o.sought(args)
	return q, err
}

// open reads the sets that the arguments name. It checks the flags first, so that a wrong one is reported at once.
func (o *options) open(ctx context.Context, args []string) (*session, error) {
	q, err := o.question(args)
	if err != nil {
		return nil, err
	}
	namespace, err := o.namespace()
	if err != nil {
		return nil, err
	}
	p, err := o.newPlanner()
	if err != nil {
		return nil, err
	}
	s, err := o.openIn(ctx, q, namespace, p)
	if err != nil {
		return nil, err
	}
	s.planner = p
	if s.keys, err = o.chosen(s.world, namespace, q.sought); err != nil {
		return nil, o.orElsewhere(ctx, q.sought, err)
	}
	return s, s.check()
}

// openIn reads a namespace, empty for all, and makes requests to a planner of it. It chooses no sets.
func (o *options) openIn(ctx context.Context, q question, namespace string, p adapters.Planner) (*session, error) {
	s := &session{at: q.at, kind: q.kind}
	if err := s.read(ctx, o, namespace); err != nil {
		return nil, err
	}
	s.notes(o)
	source, err := s.world.Source(s.at)
	if err != nil {
		return nil, err
	}
	s.asker = newAsker(source, p, q.behavior)
	return s, nil
}

// check refuses chosen objects that are no sets.
func (s *session) check() error {
	for _, key := range s.keys {
		if err := (anySet{s.world.Set(key), s.kind.GVR()}).check(); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) read(ctx context.Context, o *options, namespace string) (err error) {
	if o.file != "" {
		s.world, err = world.ReadFile(o.file, o.config.Streams.In, s.kind)
		return err
	}
	clients, err := o.clients()
	if err != nil {
		return err
	}
	s.cluster = world.NewCluster(clients, s.kind)
	if s.world, err = s.cluster.Read(ctx, namespace); err != nil {
		return apiError(err)
	}
	if o.at == "" {
		s.at = time.Now() // what was read is newer than the start of the command
	}
	return nil
}

// each gets the plan of every set in turn.
func (s *session) each(ctx context.Context, use func(adapters.Key, exchange) error) error {
	defer s.planner.close()
	for _, key := range s.keys {
		answer, err := s.asker.ask(ctx, key)
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		if err := use(key, answer); err != nil {
			return err
		}
	}
	return nil
}

// earlier gets the plan for the same objects at an earlier time.
func (s *session) earlier(ctx context.Context, request *setplanv1.PlanRequest) func(time.Time) *setplanv1.Plan {
	return func(at time.Time) *setplanv1.Plan {
		then := proto.CloneOf(request)
		then.Snapshot.ObservedAt = timestamppb.New(at)
		response, err := s.planner.Plan(ctx, then)
		if err != nil {
			return nil
		}
		return response.GetPlan()
	}
}

// notes writes to standard error what could not be read.
func (s *session) notes(o *options) {
	for _, note := range s.world.Notes {
		o.note("%s", note)
	}
	s.world.Notes = nil
}

// note says on standard error what is no part of the answer.
func (o *options) note(format string, args ...any) {
	fmt.Fprintln(o.config.Streams.ErrOut, "note:", printable.Line(fmt.Sprintf(format, args...)))
}
