package monitor

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/rest"

	"github.com/setplan/setplan/proto/openconns"
)

// Bounds of one connection, so that slow callers do not pile up. The write timeout must be enough for a scrape of a large cluster.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 10 * time.Second
	writeTimeout  = time.Minute
	idleTimeout   = 2 * time.Minute
	headerBytes   = 16 << 10 // a token of a service account is 1 kB
	connections   = 64       // many times what probes and a pair of Prometheus servers keep open
)

// Server is a socket with the check of its callers.
type Server struct {
	listener net.Listener
	access   *access // nil: plain HTTP for everybody
	http     http.Server
	log      *slog.Logger
}

// Listen opens the socket of the options. As agent it asks the API server of config about callers.
func Listen(options Options, config *rest.Config, agent string, answers *prometheus.CounterVec, log *slog.Logger) (*Server, error) {
	listener, err := options.listen()
	if err != nil {
		return nil, err
	}
	s := &Server{listener: listener, log: log, http: http.Server{
		ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: headerBytes, ConnState: openconns.AtMost(connections),
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug), // failed handshakes are the callers' affair
	}}
	if !options.secured(listener.Addr()) {
		return s, nil
	}
	if err := s.secure(options, config, agent, answers); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return s, nil
}

func (s *Server) secure(options Options, config *rest.Config, agent string, answers *prometheus.CounterVec) error {
	ask, err := askAPIServer(config, agent)
	if err != nil {
		return err
	}
	certificates, err := newCertificates(options, time.Now, s.log)
	if err != nil {
		return err
	}
	if options.CertFile == "" {
		s.log.Info("serving metrics with a self-signed certificate, which callers cannot verify; see --metrics-cert-file")
	}
	s.access = newAccess(newReviews(ask, time.Now), answers, s.log)
	s.listener = tls.NewListener(s.listener, certificates.config())
	return nil
}

// Guard puts the check of callers before a handler, if callers are checked.
func (s *Server) Guard(next http.Handler) http.Handler {
	if s.access == nil {
		return next
	}
	return s.access.guard(next)
}

// Secured reports whether callers use TLS and are checked.
func (s *Server) Secured() bool { return s.access != nil }

// Address is the address of the socket.
func (s *Server) Address() string { return s.listener.Addr().String() }

// Serve answers until Close, and then returns nil.
func (s *Server) Serve(handler http.Handler) error {
	s.http.Handler = handler
	if err := s.http.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close ends Serve and every connection.
func (s *Server) Close() error {
	// The listener too: the server knows it only once it serves.
	err := s.http.Close()
	if closed := s.listener.Close(); !errors.Is(closed, net.ErrClosed) {
		err = errors.Join(err, closed)
	}
	return err
}
