package server

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// describe is the generated description of the service with handlers of our own. The generated ones return before the
// interceptors when a message cannot be read, and gRPC then answers INTERNAL without details; ours read first, and
// refuse inside the interceptors, so that the refusal is typed, counted and logged.
func describe(s *Service) *grpc.ServiceDesc {
	desc := setplanv1.PlannerService_ServiceDesc
	desc.Methods = []grpc.MethodDesc{
		{MethodName: "Plan", Handler: handler(setplanv1.PlannerService_Plan_FullMethodName, s.planReceived)},
		{MethodName: "GetServerInfo", Handler: handler(setplanv1.PlannerService_GetServerInfo_FullMethodName, s.GetServerInfo)},
	}
	return &desc
}

// received is what the wire codec fills: the message, or why there is none.
type received struct {
	ctx     context.Context // of the call
	message proto.Message
	refused error // a status
}

// handler serves one method. Message is the struct behind Request.
func handler[Message, Response any, Request interface {
	*Message
	proto.Message
}](method string, call func(context.Context, Request) (Response, error)) grpc.MethodHandler {
	return func(service any, ctx context.Context, read func(any) error, interceptor grpc.UnaryServerInterceptor) (any, error) {
		request := Request(new(Message))
		in := &received{ctx: ctx, message: request}
		if err := read(in); err != nil {
			in.refused = err // of the transport: the caller went away, or the message is far beyond the limit
		}
		next := func(ctx context.Context, _ any) (any, error) {
			if in.refused != nil {
				return nil, in.refused
			}
			return call(ctx, request)
		}
		return interceptor(ctx, request, &grpc.UnaryServerInfo{Server: service, FullMethod: method}, next)
	}
}
