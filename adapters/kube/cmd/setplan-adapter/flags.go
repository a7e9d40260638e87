package main

import (
	"io"
	"log/slog"

	"github.com/spf13/pflag"

	"github.com/setplan/setplan/adapters/kube/monitor"
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
	drainNamespaces []string
	workers         int
	foreignManagers []string

	leaderElect bool

	metrics   monitor.Options
	logLevel  string
	logFormat string
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
		"kinds that this adapter reconciles: apps/v1. Give it only where the built-in controller is off. --mode reconcile needs it")
	set.StringVar(&f.mode, "mode", modeReconcile, "reconcile; drain: only drain what sets leave behind, beside the built-in controller; or observe: plan and send no write at all")
	set.StringVar(&f.behavior, "behavior", "SETPLAN", "rules to decide by: SETPLAN, or KUBERNETES_1_36 with its known bugs")
	set.StringSliceVar(&f.namespaces, "namespace", nil,
		"namespace to work in; repeatable; none is all. To reconcile, the built-in controller has to be off in the whole cluster: "+
			"nobody runs the sets of the other namespaces, unless another adapter does")
	set.StringSliceVar(&f.drainNamespaces, "drain-namespace", nil,
		"namespace in which drain policies are carried out; repeatable; none is all. Elsewhere a set with a drain policy is not scaled down")
	set.IntVar(&f.workers, "workers", 5, "sets that are worked on at once")
	set.StringSliceVar(&f.foreignManagers, "foreign-managers", nil,
		"field managers of other controllers, besides kube-controller-manager, whose writes make the adapter leave a set alone")

	set.BoolVar(&f.leaderElect, "leader-elect", true,
		"act only while holding, in kube-system, the lease setplan-adapter for all namespaces or setplan-adapter.NAMESPACE for each that is named; off in observe mode, which writes no lease. Without it, make sure that no other adapter runs the same sets")

	registerMetrics(set, &f.metrics)
	set.StringVar(&f.logLevel, "log-level", "info", "debug, info, warn or error")
	set.StringVar(&f.logFormat, "log-format", "text", "text or json; on stderr")
}

func registerMetrics(set *pflag.FlagSet, o *monitor.Options) {
	set.StringVar(&o.Address, "metrics-address", "",
		"host:port to serve /metrics, /plans, /healthz and /readyz on; empty is off. On loopback over plain HTTP, unless a certificate or a client CA is given. Beyond it over TLS, and "+
			"/metrics and /plans for callers whose bearer token the API server knows and who may get that path")
	set.StringVar(&o.CertFile, "metrics-cert-file", "",
		"certificate for --metrics-address, read again when it changes; empty makes one that nobody has signed")
	set.StringVar(&o.KeyFile, "metrics-key-file", "", "key of --metrics-cert-file")
	set.StringVar(&o.ClientCAFile, "metrics-client-ca-file", "",
		"whoever has a certificate of these authorities may read everything, without a token")
	set.BoolVar(&o.Insecure, "metrics-insecure", false, "serve everything over plain HTTP to everybody, also beyond loopback")
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
