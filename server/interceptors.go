package server

import (
	"context"
	"log/slog"

	grpcprometheus "github.com/grpc-ecosystem/go-grpc-middleware/providers/prometheus"
	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors"
	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/selector"
	"google.golang.org/grpc"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// link is one interceptor of the chain.
type link struct {
	name        string
	interceptor grpc.UnaryServerInterceptor
}

// chain lists what surrounds a call of the planner, outermost first.
func chain(log *slog.Logger, metrics *grpcprometheus.ServerMetrics, g *gate, recovery grpc.UnaryServerInterceptor) []link {
	return []link{
		{"request-id", withRequestID},                 // first: the log line and the INTERNAL status name it
		{"metrics", metrics.UnaryServerInterceptor()}, // before everything that refuses, so that refusals are counted
		{"logging", callLogger(log)},                  // likewise, so that refusals are logged
		{"gate", g.intercept},                         // after those two: a refused call is counted and logged
		{"recovery", recovery},                        // innermost: to all others a panic is a status already
	}
}

// interceptors leave health and reflection alone: probes come every few seconds, must answer while the server drains,
// and would drown the log.
func unaryChain(links []link) grpc.ServerOption {
	var all []grpc.UnaryServerInterceptor
	for _, l := range links {
		all = append(all, selector.UnaryServerInterceptor(l.interceptor, selector.MatchFunc(isPlannerCall)))
	}
	return grpc.ChainUnaryInterceptor(all...)
}

func isPlannerCall(_ context.Context, call interceptors.CallMeta) bool {
	return call.Service == setplanv1.PlannerService_ServiceDesc.ServiceName
}
