package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	grpcprometheus "github.com/grpc-ecosystem/go-grpc-middleware/providers/prometheus"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/access"
	"github.com/setplan/setplan/server/tokens"
)

// Server is a Service on a socket. Make it with New, then Run it once.
type Server struct {
	config    Config
	service   *Service
	gate      *gate
	admission *admission
	health    *health.Server
	grpc      *grpc.Server
	listener  *connections
	monitor   *monitor
	files     *certificates // nil: plaintext
}

// New checks the configuration, reads the certificates and opens the sockets, so that mistakes are found before anything is
// served. Errors name the flag of setplan-server.
func New(config Config) (*Server, error) {
	config = config.withDefaults()
	if err := config.validate(); err != nil {
		return nil, err
	}
	var callers *bearers
	if config.Tokens.Audience != "" {
		reviewer, err := tokens.New(config.Tokens)
		if err != nil {
			return nil, fmt.Errorf("--token-audience: %w", err)
		}
		callers, config.TLS.optional = newBearers(reviewer, config.Log), true
	}
	var files *certificates
	if config.TLS.enabled() {
		var err error
		if files, err = newCertificates(config.TLS, config.Log); err != nil {
			return nil, err
		}
	}
	var policy *access.File
	if config.PolicyFile != "" {
		var err error
		if policy, err = access.Open(config.PolicyFile, config.Log); err != nil {
			return nil, fmt.Errorf("--policy-file: %w", err)
		}
		files.admitted.policy = policy
	}
	registry := prometheus.NewRegistry()
	calls := grpcprometheus.NewServerMetrics(grpcprometheus.WithServerHandlingTimeHistogram())
	registry.MustRegister(calls, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))

	s := &Server{
		config:    config,
		service:   NewService(ServiceOptions{Limits: config.Limits, Log: config.Log, Metrics: registry}),
		gate:      newGate(),
		admission: newAdmission(config.Limits.MaxInflightBytes, newAdmissionMetrics(registry)),
		health:    health.NewServer(),
		files:     files,
	}
	s.admission.turns = config.Turns
	if files != nil {
		files.watchExpiry(registry)
		files.admitted.busy = s.admission.busy
	}
	door := newDoorkeeper(policy, callers, s.admission, registry)
	links := chain(config.Log, calls, door, s.gate, s.service.recovery)
	s.grpc = grpc.NewServer(append(grpcOptions(config, files, s.admission), grpc.UnknownServiceHandler(unknownMethod))...)
	s.grpc.RegisterService(describe(s.service, s.admission, links), s.service)
	healthv1.RegisterHealthServer(s.grpc, s.health)
	s.health.SetServingStatus(setplanv1.PlannerService_ServiceDesc.ServiceName, healthv1.HealthCheckResponse_SERVING)

	listener, err := config.listen()
	if err != nil {
		return nil, err
	}
	config.Reflection.register(s.grpc, listener.Addr())
	s.admission.known = map[string]bool{}
	for service, info := range s.grpc.GetServiceInfo() {
		for _, m := range info.Methods {
			s.admission.known["/"+service+"/"+m.Name] = true
		}
	}
	s.listener = newConnections(listener, s.admission, maxConnections)
	s.admission.watch(registry, s.listener.count)
	if s.monitor, err = newMonitor(config.MetricsAddress, registry, s.ready); err != nil {
		return nil, errors.Join(err, s.listener.Close())
	}
	return s, nil
}

// Addr is the address of the planner, with the port that was chosen.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// MetricsAddr is the address of the metrics; nil where they are off.
func (s *Server) MetricsAddr() net.Addr {
	if s.monitor.listener == nil {
		return nil
	}
	return s.monitor.listener.Addr()
}

func (s *Server) ready() bool {
	_, closed := s.gate.state()
	return !closed
}

// Run serves until ctx is done, then drains. The error is nil after a drain, complete or not.
func (s *Server) Run(ctx context.Context) error {
	if s.files != nil {
		go s.files.watch(ctx)
	}
	stop := make(chan struct{})
	defer close(stop)
	go s.listener.endOverdue(stop)
	failed := make(chan error, 2)
	go func() { failed <- s.grpc.Serve(s.listener) }()
	go func() {
		if err := s.monitor.serve(); err != nil {
			failed <- err
		}
	}()
	log := s.config.Log.With("addr", s.Addr().String())
	if addr := s.MetricsAddr(); addr != nil {
		log = log.With("metrics_addr", addr.String())
	}
	log.Info("listening", "tls", s.config.TLS.mode(), "version", Version(),
		"max_message_bytes", s.config.Limits.MaxMessageBytes, "max_pods", s.config.Limits.MaxPods,
		"max_inflight_bytes", s.config.Limits.MaxInflightBytes)
	select {
	case err := <-failed:
		s.grpc.Stop()
		return errors.Join(err, s.monitor.close())
	case <-ctx.Done():
		s.drain()
		return s.monitor.close()
	}
}

// goodbye is how long connections get to close once no call is in flight. Health watches never close.
const goodbye = time.Second

// drain refuses new calls, lets those in flight end, and closes the connections.
func (s *Server) drain() {
	inFlight, _ := s.gate.state()
	s.config.Log.Info("draining", "in_flight", inFlight, "timeout", s.config.DrainTimeout)
	s.health.Shutdown()
	deadline := time.NewTimer(s.config.DrainTimeout)
	defer deadline.Stop()
	idle := s.gate.close()
	s.admission.close() // nobody waits for a turn at a server that goes away
	select {
	case <-idle:
		cut := time.AfterFunc(goodbye, s.grpc.Stop)
		s.grpc.GracefulStop()
		cut.Stop()
		s.config.Log.Info("stopped")
	case <-deadline.C:
		inFlight, _ := s.gate.state()
		s.grpc.Stop()
		s.config.Log.Warn("stopped at the drain timeout; calls were cut", "in_flight", inFlight)
	}
}
