package cli

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/adapters/printable"
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

// open reads the sets that the arguments name. It checks the flags first, so that a wrong one is reported at once.
func (o *options) open(ctx context.Context, args []string) (*session, error) {
	at, err := o.clock()
	if err != nil {
		return nil, err
	}
	behavior, err := o.preset()
	if err != nil {
		return nil, err
	}
	what, err := o.sought(args)
	if err != nil {
		return nil, err
	}
	namespace, err := o.namespace()
	if err != nil {
		return nil, err
	}
	s := &session{at: at, kind: what.kind}
	if s.planner, err = o.newPlanner(); err != nil {
		return nil, err
	}
	if err := s.read(ctx, o, namespace); err != nil {
		return nil, err
	}
	s.notes(o)
	if s.keys, err = o.chosen(s.world, namespace, what); err != nil {
		return nil, o.orElsewhere(ctx, what, err)
	}
	for _, key := range s.keys {
		if err := (anySet{s.world.Set(key), what.kind.GVR()}).check(); err != nil {
			return nil, err
		}
	}
	source, err := s.world.Source(at)
	if err != nil {
		return nil, err
	}
	s.asker = newAsker(source, s.planner, behavior)
	return s, nil
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
