package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/setplan/setplan/adapters/kube"
)

// serveMonitor serves metrics, health and plan summaries on the address, if there is one, until it is closed.
func serveMonitor(address string, registry *prometheus.Registry, adapter *kube.Adapter, log *slog.Logger) (closeMonitor func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--metrics-address: %w", err)
	}
	server := &http.Server{Handler: monitorHandler(registry, adapter.Ready, adapter.Healthy, adapter.Plans()), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("the metrics endpoint ended", "error", err)
		}
	}()
	log.Info("serving metrics", "address", listener.Addr().String())
	return func() { _ = server.Close() }, nil
}

func monitorHandler(registry *prometheus.Registry, ready func() bool, healthy func(*http.Request) error, plans http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.Handle("GET /plans", plans)
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
