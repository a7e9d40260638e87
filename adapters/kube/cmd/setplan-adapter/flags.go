package main

import (
	"io"
	"log/slog"

	"github.com/spf13/pflag"

	"github.com/setplan/setplan/adapters"
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
	verify   string

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
		"kubeconfig file; empty: $KUBECONFIG, then ~/.kube/config, then the service account of the pod")
	set.StringVar(&f.context, "context", "", "context in the kubeconfig; empty: its current one")
	set.Float32Var(&f.qps, "kube-api-qps", 50, "writes per second to the API server, shared by all sets in turn; events have a limit of the same size")
	set.IntVar(&f.burst, "kube-api-burst", 100, "burst of writes to the API server")

	set.BoolVar(&f.embedded, "embedded", false, "run the planner in this process, instead of --planner-address")
	f.planner.Register(set, "required, unless --embedded is given")
	set.StringVar(&f.verify, "verify", adapters.VerifyReplan, "how the plans of --planner-address are verified. replan: a planner of this build decides nothing, because this "+
		"process makes each plan too and takes no other; plans of other builds are checked. checks: all plans are only checked")

	set.StringSliceVar(&f.own, "own", nil,
		"kinds that this adapter reconciles, as GROUP/VERSION: apps.setplan.io/v1beta1, and apps/v1 only if the built-in controller is off. If "+
			"the resource is not statefulsets, add it: example.com/v1,databases. Required by --mode reconcile")
	set.StringVar(&f.mode, "mode", modeReconcile, "reconcile: run sets; drain: only drain ordinals that leave sets, beside the built-in controller; observe: plan, and write nothing")
	set.StringVar(&f.behavior, "behavior", "SETPLAN", "rules to decide by: SETPLAN, or KUBERNETES_1_36 or KUBERNETES_1_37 with their known bugs")
	set.StringSliceVar(&f.namespaces, "namespace", nil,
		"namespace to work in; repeatable; default: all. In --mode reconcile the built-in controller has to be off in the whole cluster, so "+
			"sets in other namespaces need another adapter")
	set.StringSliceVar(&f.drainNamespaces, "drain-namespace", nil,
		"namespace in which drains are allowed; repeatable; default: all. Elsewhere a set with a drain policy is not scaled down")
	set.IntVar(&f.workers, "workers", 5, "number of sets to work on at once")
	set.StringSliceVar(&f.foreignManagers, "foreign-managers", nil,
		"field managers of other controllers, besides kube-controller-manager; the adapter leaves a set alone when one of them writes to it")

	set.BoolVar(&f.leaderElect, "leader-elect", true,
		"act only while holding a lease in kube-system: setplan-adapter, or setplan-adapter.NAMESPACE for each --namespace. Off in --mode observe. If you turn it off, make sure that no other adapter runs the same sets")

	registerMetrics(set, &f.metrics)
	set.StringVar(&f.logLevel, "log-level", "info", "debug, info, warn or error")
	set.StringVar(&f.logFormat, "log-format", "text", "text or json; on stderr")
}

func registerMetrics(set *pflag.FlagSet, o *monitor.Options) {
	set.StringVar(&o.Address, "metrics-address", "",
		"host:port to serve /metrics, /plans, /healthz and /readyz on; empty: off. Plain HTTP on loopback, unless a certificate or a client CA is given. Elsewhere TLS, and "+
			"/metrics and /plans require a bearer token that the API server accepts for that path")
	set.StringVar(&o.CertFile, "metrics-cert-file", "",
		"certificate for --metrics-address, reloaded when it changes; empty: a self-signed one")
	set.StringVar(&o.KeyFile, "metrics-key-file", "", "private key of --metrics-cert-file")
	set.StringVar(&o.ClientCAFile, "metrics-client-ca-file", "",
		"PEM file with CAs; a client certificate signed by one of them replaces the token")
	set.BoolVar(&o.Insecure, "metrics-insecure", false, "serve everything over plain HTTP without authentication, also beyond loopback")
}

// plannerName says where plans come from, for the log.
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
