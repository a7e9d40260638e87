package server

import (
	"context"
	"log/slog"

	grpcprometheus "github.com/grpc-ecosystem/go-grpc-middleware/providers/prometheus"
	"google.golang.org/grpc"
)

// link is one interceptor of the chain.
type link struct {
	name        string
	interceptor grpc.UnaryServerInterceptor
}

// links surround a call of the planner, outermost first. They leave out health and reflection: probes come every few seconds,
// must be answered while the server shuts down, and would drown the log.
type links []link

// chain lists them.
func chain(log *slog.Logger, metrics *grpcprometheus.ServerMetrics, d *doorkeeper, g *gate, recovery grpc.UnaryServerInterceptor) links {
	return links{
		{"request-id", withRequestID},                 // first: the log line and the INTERNAL status name it
		{"metrics", metrics.UnaryServerInterceptor()}, // before everything that refuses, so that refusals are counted
		{"logging", callLogger(log)},                  // likewise, so that refusals are logged
		{"door", d.intercept},                         // before the gate: nobody learns what the server does but its callers
		{"gate", g.intercept},                         // after those two: a refused call is counted and logged
		{"recovery", recovery},                        // innermost: to all others a panic is a status already
	}
}

// around puts the links around the handler of one method, once and not for each call.
func (l links) around(info *grpc.UnaryServerInfo, serve grpc.UnaryHandler) grpc.UnaryHandler {
	for i := len(l) - 1; i >= 0; i-- {
		intercept, next := l[i].interceptor, serve
		serve = func(ctx context.Context, request any) (any, error) { return intercept(ctx, request, info, next) }
	}
	return serve
}
