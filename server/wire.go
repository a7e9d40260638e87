package server

import (
	"context"
	"errors"

	"google.golang.org/grpc"
	"google.golang.org/grpc/peer"
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/codec"
)

// describe is the generated description of the service with our own handlers. The generated ones read the message before the
// interceptors run. Ours read it within them, once there is room for it: a flood of calls does not become a flood of memory,
// and every refusal is typed, counted and logged.
//
// Plan and GetServerInfo are described as streams that carry one message each way, which is what a unary call is on the wire. So they send the answer
// themselves, and can see what became of it. A stats handler could, too, but for it gRPC copies every call's headers.
func describe(s *Service, a *admission, l links) *grpc.ServiceDesc {
	desc := setplanv1.PlannerService_ServiceDesc
	desc.Methods, desc.Streams = nil, []grpc.StreamDesc{
		{StreamName: "Plan", Handler: handler(setplanv1.PlannerService_Plan_FullMethodName, s, a, l, s.remotePlan)},
		{StreamName: "Forecast", Handler: handler(setplanv1.PlannerService_Forecast_FullMethodName, s, a, l, s.remoteForecast), ServerStreams: true},
		{StreamName: "GetServerInfo", Handler: handler(setplanv1.PlannerService_GetServerInfo_FullMethodName, s, a, l, s.remoteInfo)},
	}
	return &desc
}

// answers makes the last message of an answer, and sends those before it.
type answers func(context.Context, *message, grpc.ServerStream) (any, error)

type streamKey struct{}

// handler serves one method inside the links.
func handler(method string, s *Service, a *admission, l links, answer answers) grpc.StreamHandler {
	serve := l.around(&grpc.UnaryServerInfo{Server: s, FullMethod: method}, func(ctx context.Context, _ any) (any, error) {
		c := callerOf(ctx)
		if err := a.enter(c); err != nil {
			return nil, err
		}
		m := a.arriving(ctx, c)
		defer a.leave(m)
		defer m.close()
		err := m.announced()
		if err != nil {
			return nil, m.orEnded(err)
		}
		response, err := answer(ctx, m, ctx.Value(streamKey{}).(grpc.ServerStream))
		if err != nil {
			return nil, m.orEnded(err)
		}
		return response, nil
	})
	return func(_ any, stream grpc.ServerStream) error {
		ctx := stream.Context()
		response, err := serve(context.WithValue(ctx, streamKey{}, stream), nil)
		if err != nil {
			return err
		}
		err = stream.SendMsg(response)
		if e, ok := response.(*encoded); ok {
			e.handedOver(ctx)
		}
		return err
	}
}

// callerOf returns the caller whose connection a call came on.
func callerOf(ctx context.Context) *caller {
	p, _ := peer.FromContext(ctx)
	return p.Addr.(callerAddr).caller
}

// arrival is a request that has been read and has begun, with the limits that it is worked on within.
type arrival struct {
	data   []byte
	turn   *turn
	limits codec.Limits
}

// arrived reads a request, and waits until it may begin. End the turn, and return the memory once nothing of the request is in use; after an
// error or a panic the collector takes it.
func (s *Service) arrived(ctx context.Context, m *message, forecast bool) (*arrival, error) {
	if m.size > s.limits.MaxMessageBytes {
		return nil, messageTooLarge("request", m.size, s.limits.MaxMessageBytes)
	}
	data, err := m.read(ctx)
	if err != nil {
		return nil, err
	}
	turn, err := m.of.begin(ctx, m.caller, m.size, forecast)
	if err != nil {
		return nil, err
	}
	if err := m.begins(); err != nil {
		turn.end()
		return nil, err
	}
	m.of.worked(ctx)
	limits := s.limits.codec(ctx)
	if cluster := callOf(ctx).cluster; cluster != nil && cluster.Limits.MaxPods > 0 {
		limits.MaxPods = min(limits.MaxPods, int(cluster.Limits.MaxPods))
	}
	limits.Memory = codec.Borrow() // nobody else uses the request
	limits.Stop = func() bool {
		turn.pause(ctx)
		return ctx.Err() != nil
	}
	return &arrival{data, turn, limits}, nil
}

// remotePlan reads a request, waits until it may begin, and plans.
func (s *Service) remotePlan(ctx context.Context, m *message, _ grpc.ServerStream) (any, error) {
	r, err := s.arrived(ctx, m, false)
	if err != nil {
		return nil, err
	}
	defer r.turn.end()
	request := &setplanv1.PlanRequest{}
	if err := unmarshalPlan(ctx, r.data, request, r.limits, nil); err != nil {
		return nil, err
	}
	response, err := s.plan(ctx, request, r.limits)
	if err != nil {
		return nil, err
	}
	answer, err := m.of.answer(m.caller, response)
	r.limits.Memory.Return() // the answer is bytes
	return answer, err
}

// maxInfoBytes bounds a request that has no fields.
const maxInfoBytes = 4 << 10

// remoteInfo waits for nothing: a busy planner still says what it can plan.
func (s *Service) remoteInfo(ctx context.Context, m *message, _ grpc.ServerStream) (any, error) {
	if m.size > maxInfoBytes {
		return nil, messageTooLarge("request", m.size, maxInfoBytes)
	}
	data, err := m.read(ctx)
	if err != nil {
		return nil, err
	}
	if err := m.begins(); err != nil {
		return nil, err
	}
	request := &setplanv1.GetServerInfoRequest{}
	if err := proto.Unmarshal(data, request); err != nil {
		return nil, undecodable(err)
	}
	return s.GetServerInfo(ctx, request)
}

// unmarshalPlan decodes a request. It checks the bytes before decoding them takes memory. place says where in a larger request it stands; nil:
// it is the whole.
func unmarshalPlan(ctx context.Context, data []byte, into *setplanv1.PlanRequest, limits codec.Limits, place func(error) error) error {
	err := codec.Check(data, limits)
	if err != nil {
		if place != nil {
			err = place(err)
		}
		return refusal(ctx, err)
	}
	switch err = codec.Read(data, into, limits); {
	case err == nil:
		return nil
	case errors.Is(err, codec.ErrStopped):
		return refusal(ctx, err)
	}
	return undecodable(err)
}
