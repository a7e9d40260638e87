package main

import (
	"fmt"
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"k8s.io/client-go/rest"

	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/adapters/kube/monitor"
)

// serveMonitor serves metrics, health and plan summaries until it is closed, if the options name an address.
func serveMonitor(options monitor.Options, config *rest.Config, registry *prometheus.Registry, group kube.Group, log *slog.Logger) (closeMonitor func(), err error) {
	if options.Address == "" {
		return func() {}, nil
	}
	server, err := monitor.Listen(options, config, kube.Manager, kube.NewReaderMetrics(registry), log)
	if err != nil {
		return nil, err
	}
	handler := monitorHandler(registry, group.Ready, group.Healthy, group, server.Guard)
	go func() {
		if err := server.Serve(handler); err != nil {
			log.Error("the metrics endpoint ended", "error", err)
		}
	}()
	log.Info("serving metrics", "tls", server.Secured(), "address", server.Address())
	return func() { _ = server.Close() }, nil
}

// monitorHandler opens the probes' paths to everybody, and puts those about sets behind the guard.
func monitorHandler(registry *prometheus.Registry, ready func() bool, healthy func(*http.Request) error, plans http.Handler, guard func(http.Handler) http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", guard(promhttp.HandlerFor(registry, promhttp.HandlerOpts{})))
	mux.Handle("GET /plans", guard(plans))
	serveHealth(mux, healthy)
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !ready() {
			http.Error(w, "the caches are being filled", http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte("ok\n"))
	})
	return mux
}

// serveHealth serves the health checks under the paths that Kubernetes' components use: each by its name, and all together.
func serveHealth(mux *http.ServeMux, leaderElection func(*http.Request) error) {
	check := func(w http.ResponseWriter, r *http.Request) {
		if err := leaderElection(r); err != nil {
			http.Error(w, fmt.Sprintf("[-]leaderElection failed: %v", err), http.StatusInternalServerError)
			return
		}
		_, _ = w.Write([]byte("ok\n"))
	}
	mux.HandleFunc("GET /healthz", check)
	mux.HandleFunc("GET /healthz/leaderElection", check)
}
