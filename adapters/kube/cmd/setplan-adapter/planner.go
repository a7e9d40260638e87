package main

import (
	"context"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	setplan "github.com/setplan/setplan/clients/go"

	"github.com/setplan/setplan/adapters"
)

// newPlanner returns the planner that the flags ask for, how to probe it, and how to close it. An embedded planner needs no probe.
func newPlanner(f *flags, registry prometheus.Registerer, log *slog.Logger) (planner adapters.Planner, probe func(context.Context) error, closePlanner func(), err error) {
	if f.embedded {
		return embeddedPlanner(registry, log), nil, func() {}, nil
	}
	client, closePlanner, err := remotePlanner(f)
	if err != nil {
		return nil, nil, nil, err
	}
	watchExpiry(&f.planner, registry)
	return client, func(ctx context.Context) error { return reachable(ctx, client) }, closePlanner, nil
}

// reachable returns an error if no answer came. Even a refusal comes from a planner that is there.
func reachable(ctx context.Context, client *setplan.Client) error {
	_, err := client.ServerInfo(ctx)
	switch status.Code(err) {
	case codes.Unavailable, codes.DeadlineExceeded, codes.Canceled:
		return err
	default:
		return nil
	}
}
