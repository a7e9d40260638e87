// Command setplan-adapter runs the StatefulSets of a cluster: it watches them, asks the planner what to do, and does that.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/spf13/cobra"
	"k8s.io/klog/v2"

	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/server"
)

func main() {
	if err := command().ExecuteContext(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "setplan-adapter:", err)
		os.Exit(1)
	}
}

func command() *cobra.Command {
	f := &flags{}
	c := &cobra.Command{
		Use:   "setplan-adapter",
		Short: "Runs StatefulSets as the planner says",
		Long: `setplan-adapter watches the StatefulSets of a cluster, asks the planner what each needs next, and does it.

It runs only the kinds given with --own. Sets of apps.setplan.io/v1beta1 are nobody else's, and run beside the built-in controller.
Two controllers on one set delete each other's pods, so for apps/v1 switch the built-in one off first
(kube-controller-manager --controllers=*,-statefulset-controller). With --mode observe it plans and writes nothing,
beside any other controller. With --mode drain it runs no set and only drains ordinals that leave a set with a drain
policy, beside the built-in controller.

While the planner is unreachable, nothing is changed in the cluster. After 30 seconds the holder of the lease releases it,
so that a replica with another planner can act. SIGTERM and SIGINT end it after the actions under way; a
second signal ends it at once.`,
		Example: `  # planner in the same process
  setplan-adapter --embedded --own apps/v1

  # sets of our own kind, beside the built-in controller
  setplan-adapter --embedded --own apps.setplan.io/v1beta1

  # planner as a service on this machine
  setplan-adapter --planner-address 127.0.0.1:7450 --own apps/v1

  # drain beside the built-in controller
  setplan-adapter --embedded --mode drain

  # look at what would be done
  setplan-adapter --embedded --mode observe --metrics-address 127.0.0.1:7452
  curl 127.0.0.1:7452/plans`,
		Args:          cobra.NoArgs,
		Version:       server.Version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(c *cobra.Command, _ []string) error { return run(c.Context(), f, c.Flags().Changed) },
	}
	f.register(c.Flags())
	return c
}

func run(ctx context.Context, f *flags, given func(flag string) bool) error {
	settings, err := f.validate(given)
	if err != nil {
		return err
	}
	log := settings.logger(os.Stderr)
	klog.SetSlogLogger(log.With("from", "client-go"))
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	// After the first signal, the next one has its usual effect.
	context.AfterFunc(ctx, stop)

	config, err := kubeConfig(f)
	if err != nil {
		return err
	}
	if err := checkPlannerToken(f.planner.TokenFile, config); err != nil {
		return err
	}
	var group kube.Group
	registry := prometheus.NewRegistry()
	kube.RegisterClientMetrics(registry)
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	planner, probe, closePlanner, err := newPlanner(f, registry, log, func(why string) { group.PlansChecked(why) })
	if err != nil {
		return err
	}
	defer closePlanner()

	kinds, err := kube.Kinds(config, settings.own)
	if err != nil {
		return err
	}
	turns := kube.NewTurns(config.QPS, config.Burst)
	for _, kind := range kinds {
		adapter, err := kube.New(kube.Config{
			REST:            config,
			Planner:         planner,
			Probe:           probe,
			Kind:            kind,
			Namespaces:      f.namespaces,
			Workers:         f.workers,
			Behavior:        settings.behavior,
			Scope:           settings.scope,
			DrainNamespaces: f.drainNamespaces,
			ObserveOnly:     settings.observe,
			ForeignManagers: append([]string{kube.BuiltinManager}, f.foreignManagers...),
			Turns:           turns,
			Election:        settings.election(),
			Registry:        registryOf(kind, len(kinds), registry),
			Log:             logOf(kind, log),
		})
		if err != nil {
			return err
		}
		group = append(group, adapter)
	}
	closeMonitor, err := serveMonitor(f.metrics, config, registry, group, log)
	if err != nil {
		return err
	}
	defer closeMonitor()
	settings.warn(f, log)
	log.Info("starting", "version", server.Version(), "api_server", config.Host, "planner", f.plannerName(), "verify", f.verify, "mode", f.mode, slog.Any("own", f.own),
		"behavior", f.behavior, slog.Any("namespaces", f.namespaces))
	return group.Run(ctx)
}

// registryOf is where the metrics of a kind go. Where there are several kinds, each metric says which one it is of.
func registryOf(kind kube.SetKind, kinds int, registry prometheus.Registerer) prometheus.Registerer {
	if kinds == 1 {
		return registry
	}
	return prometheus.WrapRegistererWith(prometheus.Labels{"sets": kind.Name()}, registry)
}

// logOf says of each line which kind it is about, where that is not the built-in one.
func logOf(kind kube.SetKind, log *slog.Logger) *slog.Logger {
	if kind == kube.StatefulSets() {
		return log
	}
	return log.With("kind", kind.Name())
}
