package main

import (
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/server"
)

// embeddedPlanner makes the planner without a network. Its metrics are registered with the adapter's.
func embeddedPlanner(registry prometheus.Registerer, log *slog.Logger) adapters.Planner {
	return server.NewService(server.ServiceOptions{Log: log, Metrics: registry})
}
