package monitor

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"k8s.io/client-go/util/cert"
)

// rereading is the shortest time between two reads of the files: a rotated certificate needs no restart, and a flood of
// handshakes does not keep the disk busy.
const rereading = 10 * time.Second

// certificates serves the content of the files.
type certificates struct {
	options Options
	made    []tls.Certificate // instead of files
	now     func() time.Time
	log     *slog.Logger

	mu      sync.Mutex
	read    time.Time
	current *tls.Config
}

// newCertificates reads the files once, so that a mistake is found at the start.
func newCertificates(options Options, now func() time.Time, log *slog.Logger) (*certificates, error) {
	c := &certificates{options: options, now: now, log: log, read: now()}
	var err error
	if options.CertFile == "" {
		if c.made, err = selfSigned(); err != nil {
			return nil, err
		}
	}
	c.current, err = c.load()
	return c, err
}

// config asks us at every handshake.
func (c *certificates) config() *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS12,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return c.newest(), nil },
	}
}

// newest keeps the last good content while the files cannot be read, for example in the middle of a rotation.
func (c *certificates) newest() *tls.Config {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now().Before(c.read.Add(rereading)) {
		return c.current
	}
	c.read = c.now()
	loaded, err := c.load()
	if err != nil {
		c.log.Warn("the certificate files for metrics are invalid; the last valid ones stay in use", "error", err)
		return c.current
	}
	c.current = loaded
	return c.current
}

// load leaves out HTTP/2: its streams allow thousands of requests at once on one connection, and no reader of metrics needs
// it. With an authority to check it, a caller may show a certificate, but a token will do as well.
func (c *certificates) load() (*tls.Config, error) {
	o, out := c.options, &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}, Certificates: c.made}
	if o.CertFile != "" {
		pair, err := tls.LoadX509KeyPair(o.CertFile, o.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("--metrics-cert-file %s, --metrics-key-file %s: %w", o.CertFile, o.KeyFile, err)
		}
		out.Certificates = []tls.Certificate{pair}
	}
	if o.ClientCAFile == "" {
		return out, nil
	}
	pem, err := os.ReadFile(o.ClientCAFile)
	if err != nil {
		return nil, fmt.Errorf("--metrics-client-ca-file: %w", err)
	}
	out.ClientAuth, out.ClientCAs = tls.VerifyClientCertIfGiven, x509.NewCertPool()
	if !out.ClientCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("--metrics-client-ca-file %s: no certificate in it", o.ClientCAFile)
	}
	return out, nil
}

// selfSigned makes a certificate for the life of this process. It hides tokens from eavesdroppers. Callers who want to verify
// the server need files.
func selfSigned() ([]tls.Certificate, error) {
	host, err := os.Hostname()
	if err != nil {
		return nil, fmt.Errorf("the name of this machine, for the certificate of /metrics: %w", err)
	}
	pem, key, err := cert.GenerateSelfSignedCertKey(host, nil, []string{"localhost"})
	if err != nil {
		return nil, fmt.Errorf("a certificate for /metrics: %w", err)
	}
	pair, err := tls.X509KeyPair(pem, key)
	if err != nil {
		return nil, fmt.Errorf("a certificate for /metrics: %w", err)
	}
	return []tls.Certificate{pair}, nil
}
