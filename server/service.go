package server

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/codec"
)

// Service answers the calls of the contract. It keeps nothing between them and is safe for concurrent use.
//
// It needs no network: an embedded planner calls Plan and gets the statuses that a remote caller would get.
type Service struct {
	setplanv1.UnimplementedPlannerServiceServer

	limits   Limits
	metrics  *planMetrics
	recovery grpc.UnaryServerInterceptor
	decide   func(*model.Snapshot, func() bool) *model.Plan
	foresee  foresees
}

// ServiceOptions configure a Service. The zero value is a quiet service with the default limits.
type ServiceOptions struct {
	Limits  Limits
	Log     *slog.Logger          // nil: bugs of the engine go to slog.Default
	Metrics prometheus.Registerer // nil: nobody sees the metrics
}

// NewService makes a service. It panics if the metrics are registered already, which is a mistake of the caller.
func NewService(options ServiceOptions) *Service {
	log := options.Log
	if log == nil {
		log = slog.Default()
	}
	return &Service{
		limits:   options.Limits.withDefaults(),
		metrics:  newPlanMetrics(options.Metrics),
		recovery: recoverer(log),
		decide:   engine.DecideUntil,
		foresee:  run,
	}
}

// Plan is for callers in the same process. It differs from a call over the network in one point: the size of the request is
// not limited.
func (s *Service) Plan(ctx context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	response, err := s.recovery(ctx, request, nil, func(ctx context.Context, _ any) (any, error) {
		return s.plan(ctx, request, s.limits.codec(ctx))
	})
	if err != nil {
		return nil, err
	}
	return response.(*setplanv1.PlanResponse), nil
}

// plan decodes, decides and encodes. A few times a millisecond it asks whether to stop, which may make it wait, and it ends when
// nobody waits for its result any more. Panics pass through to its callers.
func (s *Service) plan(ctx context.Context, request *setplanv1.PlanRequest, limits codec.Limits) (*setplanv1.PlanResponse, error) {
	snapshot, err := decode(ctx, request, limits)
	if err != nil {
		return nil, refusal(ctx, err)
	}
	start := time.Now()
	plan := s.decide(snapshot, limits.Stop)
	took := time.Since(start)
	if plan == nil {
		return nil, abandoned(ctx)
	}

	encoded, err := codec.EncodeWithin(plan, snapshot.Set.Namespace, limits)
	if err != nil {
		return nil, refusal(ctx, err)
	}
	response := &setplanv1.PlanResponse{Plan: encoded}
	if size := proto.Size(response); size > s.limits.MaxMessageBytes {
		return nil, messageTooLarge("plan", size, s.limits.MaxMessageBytes)
	}
	response.Version = Version() // its length is nobody's fault
	actions := countActions(response.Plan)
	s.metrics.observe(snapshot, response.Plan, actions, took)
	if call := callOf(ctx); call != nil {
		call.summary.plan(response.Plan, actions)
	}
	return response, nil
}

// decode reads a request, by snapshot or by objects, and notes for the log what it is about.
func decode(ctx context.Context, request *setplanv1.PlanRequest, limits codec.Limits) (*model.Snapshot, error) {
	call := callOf(ctx)
	if call != nil {
		call.summary.request(request)
	}
	snapshot, err := codec.Decode(request, limits)
	if err == nil && call != nil {
		call.summary.read(snapshot)
	}
	return snapshot, err
}

// GetServerInfo says what this server can plan.
func (s *Service) GetServerInfo(context.Context, *setplanv1.GetServerInfoRequest) (*setplanv1.GetServerInfoResponse, error) {
	return &setplanv1.GetServerInfoResponse{
		Version:         Version(),
		Behaviors:       codec.Behaviors(),
		Capabilities:    codec.Capabilities(),
		MaxMessageBytes: int64(s.limits.MaxMessageBytes),
		MaxPods:         int64(s.limits.MaxPods),
		Annotations:     policy.Annotations(),
	}, nil
}

func countActions(plan *setplanv1.Plan) int {
	n := 0
	for _, stage := range plan.GetStages() {
		for _, step := range stage.GetSteps() {
			n += len(step.GetActions())
		}
	}
	return n
}
