package server

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/engine/forecast"
	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/codec"
)

// Foresee is Forecast for callers in the same process, who may spend what they like: each is called with the steps, one after another, and an
// error of it ends the forecast.
func (s *Service) Foresee(ctx context.Context, request *setplanv1.ForecastRequest, each func(*setplanv1.ForecastStep) error) (*setplanv1.ForecastResult, error) {
	response, err := s.recovery(ctx, request, nil, func(ctx context.Context, _ any) (any, error) {
		return s.forecast(ctx, request.GetStart(), request, s.limits.codec(ctx), nil, func(response *setplanv1.ForecastResponse) error {
			return each(response.GetStep())
		})
	})
	if err != nil {
		return nil, err
	}
	return response.(*setplanv1.ForecastResponse).GetResult(), nil
}

// forecast decodes, and foresees step by step. As a plan does, it asks whether to stop a few times a millisecond. It returns the last part.
func (s *Service) forecast(ctx context.Context, start *setplanv1.PlanRequest, rest *setplanv1.ForecastRequest, limits codec.Limits, budget *forecast.Budget,
	each func(*setplanv1.ForecastResponse) error) (*setplanv1.ForecastResponse, error) {
	options, err := codec.DecodeForecast(rest)
	if err != nil {
		return nil, refusal(ctx, err)
	}
	options.Budget = budget
	snapshot, err := decode(ctx, start, limits)
	if err != nil {
		return nil, refusal(ctx, codec.InStart(err))
	}
	namespace := snapshot.Set.Namespace
	steps, result := s.foresee(limits.Stop, snapshot, options)
	for step := range steps {
		response := codec.EncodeStep(&step, namespace)
		if err := s.fits(response); err != nil {
			return nil, err
		}
		if err := each(response); err != nil {
			return nil, err
		}
	}
	whole := result()
	if whole == nil {
		return nil, abandoned(ctx)
	}
	s.metrics.forecasts.WithLabelValues(verdictNames[whole.Verdict]).Inc()
	var worst *forecast.WorstCase
	if rest.GetPessimistic() {
		if worst = forecast.Worst(limits.Stop, snapshot, forecast.Options{Hosts: options.Hosts, Budget: budget}); worst == nil {
			return nil, abandoned(ctx)
		}
	}
	response := codec.EncodeResult(whole, worst, namespace)
	return response, s.fits(response)
}

// foresees is forecast.Run, or a test's.
type foresees func(stop func() bool, snapshot *model.Snapshot, options forecast.Options) (func(func(forecast.Step) bool), func() *forecast.Result)

func run(stop func() bool, snapshot *model.Snapshot, options forecast.Options) (func(func(forecast.Step) bool), func() *forecast.Result) {
	steps, result := forecast.Run(stop, snapshot, options)
	return steps, result
}

// verdictNames are the values of a metric's label.
var verdictNames = map[forecast.Verdict]string{forecast.Converged: "converged", forecast.BlockedForEver: "blocked", forecast.Undecided: "undecided"}

func (s *Service) fits(response proto.Message) error {
	if size := proto.Size(response); size > s.limits.MaxMessageBytes {
		return messageTooLarge("forecast", size, s.limits.MaxMessageBytes)
	}
	return nil
}

// remoteForecast reads a request, waits until it may begin, and sends each step as soon as it is known. While the caller takes a step, the
// call leaves its turn to others; one that takes none for too long ends, because it keeps its memory.
func (s *Service) remoteForecast(ctx context.Context, m *message, stream grpc.ServerStream) (any, error) {
	r, err := s.arrived(ctx, m, true)
	if err != nil {
		return nil, err
	}
	defer r.turn.end()
	data, rest, err := codec.SplitForecast(r.data, r.limits)
	if err != nil {
		return nil, refusal(ctx, err)
	}
	r.data = nil // where start came in parts, it is not needed any more
	start := &setplanv1.PlanRequest{}
	if err := unmarshalPlan(ctx, data, start, r.limits, codec.InStart); err != nil {
		return nil, err
	}
	m.of.sends(m, callOf(ctx).cut)
	defer m.of.sent(m)
	response, err := s.forecast(ctx, start, rest, r.limits, forecast.Served(), func(response *setplanv1.ForecastResponse) error {
		part, err := m.of.answer(m.caller, response)
		if err != nil {
			return err
		}
		return r.turn.leave(ctx, func() error { return m.send(ctx, stream, part) })
	})
	if err != nil {
		return nil, err
	}
	answer, err := m.of.answer(m.caller, response)
	r.limits.Memory.Return()
	return answer, err
}

// send sends a part of an answer. gRPC holds the call back once it has taken a few of them that the caller has not read.
func (m *message) send(ctx context.Context, stream grpc.ServerStream, part *encoded) error {
	m.until.Store(m.of.passed(m.of.clock().Add(m.of.waits.step)))
	defer m.until.Store(0)
	if err := stream.SendMsg(part); err != nil {
		return abandoned(ctx)
	}
	part.handedOver(ctx)
	return nil
}
