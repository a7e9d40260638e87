package main

import (
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/server"
)

// verified puts this build's own planner beside a remote one, as --verify says. Its limits are those of the remote one, which has planned already,
// and of the time of the call.
func verified(way string, remote adapters.Planner, registry prometheus.Registerer, log *slog.Logger, checked func(why string)) adapters.Planner {
	ways := watchVerification(registry)
	if way == adapters.VerifyChecks {
		ways(way)
		return remote
	}
	own := server.NewService(server.ServiceOptions{Log: log, Limits: server.Limits{MaxPods: math.MaxInt, MaxMessageBytes: math.MaxInt}})
	return adapters.NewReplan(remote, own, server.Version(), time.Now, func(by, planner string) {
		ways(by)
		planner = fmt.Sprintf("%.80q", planner) // it can be any text
		if by == adapters.VerifyChecks {
			log.Warn("the planner is another build: plans are checked, and not made again", "planner", planner, "adapter", server.Version())
			checked(fmt.Sprintf("The planner is version %s and the adapter %q: plans are checked, and not made again. With one version for both, no lie of a planner "+
				"is carried out.", planner, server.Version()))
			return
		}
		log.Info("the planner is this build: each plan is made again, and no other is carried out", "version", server.Version())
	})
}

// watchVerification registers the gauge of how plans are verified, and returns what sets it.
func watchVerification(registry prometheus.Registerer) func(way string) {
	gauge := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "setplan_adapter_verification",
		Help: "1 for how plans are verified now: replan or checks; checks also for ten minutes after a planner of another build has answered."}, []string{"by"})
	registry.MustRegister(gauge)
	return func(way string) {
		for _, by := range []string{adapters.VerifyReplan, adapters.VerifyChecks} {
			gauge.WithLabelValues(by).Set(0)
		}
		gauge.WithLabelValues(way).Set(1)
	}
}
