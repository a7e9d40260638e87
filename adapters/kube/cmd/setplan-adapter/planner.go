package main

import (
	"context"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	setplan "github.com/setplan/setplan/clients/go"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/server"
)

// newPlanner returns the planner that the flags ask for, how to probe it, and how to close it. An embedded planner needs no probe. checked is
// called when plans are checked because of a planner of another build.
func newPlanner(f *flags, registry prometheus.Registerer, log *slog.Logger, checked func(why string)) (planner adapters.Planner, probe func(context.Context) error, closePlanner func(), err error) {
	if f.embedded {
		return embeddedPlanner(registry, log), nil, func() {}, nil
	}
	client, err := f.planner.Dial(kube.Manager)
	if err != nil {
		return nil, nil, nil, err
	}
	watchExpiry(&f.planner, registry)
	return verified(f.verify, client, registry, log, checked), func(ctx context.Context) error { return reachable(ctx, client) }, func() { _ = client.Close() }, nil
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

// embeddedPlanner makes the planner without a network. Its metrics are registered with the adapter's.
func embeddedPlanner(registry prometheus.Registerer, log *slog.Logger) adapters.Planner {
	return server.NewService(server.ServiceOptions{Log: log, Metrics: registry})
}
