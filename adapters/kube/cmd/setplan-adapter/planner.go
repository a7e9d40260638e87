package main

import (
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/setplan/setplan/adapters"
)

// newPlanner is the planner that the flags ask for, and how to let go of it.
func newPlanner(f *flags, registry prometheus.Registerer, log *slog.Logger) (planner adapters.Planner, closePlanner func(), err error) {
	if f.embedded {
		return embeddedPlanner(registry, log), func() {}, nil
	}
	return remotePlanner(f)
}
