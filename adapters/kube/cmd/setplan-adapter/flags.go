package main

import (
	"io"
	"log/slog"

	"github.com/spf13/pflag"

	"github.com/setplan/setplan/clients/plannerflags"
)

// flags hold what the command line says.
type flags struct {
	kubeconfig string
	context    string
	qps        float32
	burst      int

	embedded bool
	planner  plannerflags.Flags

	own             []string
	mode            string
	behavior        string
	namespaces      []string
	workers         int
	foreignManagers []string

	leaderElect          bool
	leaderElectNamespace string

	metricsAddress string
	logLevel       string
	logFormat      string
}

func (f *flags) register(set *pflag.FlagSet) {
	set.SortFlags = false
	set.StringVar(&f.kubeconfig, "kubeconfig", "",
		"kubeconfig file; empty is $KUBECONFIG, then ~/.kube/config, then the service account of the pod")
	set.StringVar(&f.context, "context", "", "context in the kubeconfig; empty is its current one")
	set.Float32Var(&f.qps, "kube-api-qps", 50, "writes per second to the API server, which sets take turns at; as many events beside them")
	set.IntVar(&f.burst, "kube-api-burst", 100, "writes to the API server that may go out at once")

	set.BoolVar(&f.embedded, "embedded", false, "run the planner in this process; this or --planner-address")
	f.planner.Register(set, "this or --embedded")

	set.StringSliceVar(&f.own, "own", nil,
		"kinds that this adapter reconciles: apps/v1. Give it only where the built-in controller is off. Without it nothing is written")
	set.StringVar(&f.mode, "mode", modeReconcile, "reconcile; drain: only drain what sets leave behind, beside the built-in controller; or observe: plan and send no write at all")
	set.StringVar(&f.behavior, "behavior", "SETPLAN", "rules to decide by: SETPLAN, or KUBERNETES_1_36 with its known bugs")
	set.StringSliceVar(&f.namespaces, "namespace", nil, "namespace to work in; repeatable; none is all")
	set.IntVar(&f.workers, "workers", 5, "sets that are worked on at once")
	set.StringSliceVar(&f.foreignManagers, "foreign-managers", nil,
		"field managers of other controllers, besides kube-controller-manager, whose writes make the adapter leave a set alone")

	set.BoolVar(&f.leaderElect, "leader-elect", true,
		"act only while holding the lease setplan-adapter, so that replicas may wait; off in observe mode, which writes no lease")
	set.StringVar(&f.leaderElectNamespace, "leader-elect-namespace", "",
		"namespace of the lease; empty is the pod's own, outside of a pod kube-system")

	set.StringVar(&f.metricsAddress, "metrics-address", "",
		"host:port to serve /metrics, /healthz, /readyz and /plans on, over plain HTTP; empty is off")
	set.StringVar(&f.logLevel, "log-level", "info", "debug, info, warn or error")
	set.StringVar(&f.logFormat, "log-format", "text", "text or json; on stderr")
}

// plannerName is where plans come from, for the log.
func (f *flags) plannerName() string {
	if f.embedded {
		return "embedded"
	}
	return f.planner.Address
}

func (s *settings) logger(w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: s.logLevel}
	if s.logJSON {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}
