package server

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/setplan/setplan/proto/openconns"
)

// maxMonitorConnections is many times what probes and a pair of Prometheus servers keep open. A failing probe kills the server.
const maxMonitorConnections = 64

// monitor answers probes and Prometheus over HTTP, without authentication: it holds no cluster data.
type monitor struct {
	listener net.Listener // nil: off
	server   http.Server
}

// newMonitor opens the socket. ready reports whether new calls are let in.
func newMonitor(address string, registry *prometheus.Registry, ready func() bool) (*monitor, error) {
	m := &monitor{}
	if address == "" {
		return m, nil
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !ready() {
			http.Error(w, "draining", http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte("ok\n"))
	})
	// Slow callers must not pile up.
	m.server = http.Server{
		Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
		ConnState: openconns.AtMost(maxMonitorConnections),
	}
	var err error
	if m.listener, err = net.Listen("tcp", address); err != nil {
		return nil, fmt.Errorf("--metrics-address: %w", err)
	}
	return m, nil
}

// serve blocks until close. It returns at once if the monitor is off.
func (m *monitor) serve() error {
	if m.listener == nil {
		return nil
	}
	if err := m.server.Serve(m.listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (m *monitor) close() error {
	if m.listener == nil {
		return nil
	}
	// The listener too: the server knows it only once it serves.
	err := m.server.Close()
	if closed := m.listener.Close(); !errors.Is(closed, net.ErrClosed) {
		err = errors.Join(err, closed)
	}
	return err
}
