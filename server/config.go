package server

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"time"

	"github.com/setplan/setplan/server/tokens"
)

// The defaults of Config.
const (
	DefaultListenAddress = "127.0.0.1:7450"
	DefaultDrainTimeout  = 20 * time.Second
)

// Config says how to serve. Zero fields mean the defaults.
type Config struct {
	// ListenAddress is host:port of the planner; port 0 picks a free one.
	ListenAddress string
	// MetricsAddress is host:port for /metrics, /healthz and /readyz over HTTP. Empty: off.
	MetricsAddress string
	// TLS names the certificate files.
	TLS TLSFiles
	// InsecurePlaintext allows plaintext on an address that is not loopback.
	InsecurePlaintext bool
	// PolicyFile has the clusters that are served, and their limits; see package access. Empty: everybody whom the transport lets in.
	PolicyFile string
	// Tokens lets callers show a bearer token of the server's own cluster in the place of a certificate. Without an audience: off.
	Tokens tokens.Options
	// Limits bound what one call may cost.
	Limits Limits
	// Turns is how many calls may be planned at once; 0: GOMAXPROCS.
	Turns int
	// Reflection says whether the server describes its contract. Empty: ReflectionAuto.
	Reflection Reflection
	// DrainTimeout is how long calls in flight may go on after the shutdown began.
	DrainTimeout time.Duration
	// Log gets one line per call and what happens to the server. Nil: slog.Default.
	Log *slog.Logger
}

func (c Config) withDefaults() Config {
	if c.ListenAddress == "" {
		c.ListenAddress = DefaultListenAddress
	}
	if c.DrainTimeout == 0 {
		c.DrainTimeout = DefaultDrainTimeout
	}
	if c.Reflection == "" {
		c.Reflection = ReflectionAuto
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.Turns == 0 {
		c.Turns = runtime.GOMAXPROCS(0)
	}
	c.Limits = c.Limits.withDefaults()
	return c
}

// validate names the flag in every error: the command's flags and the fields are the same thing.
func (c Config) validate() error {
	if c.DrainTimeout < 0 {
		return fmt.Errorf("--drain-timeout is %s, must be positive", c.DrainTimeout)
	}
	switch tokens := c.Tokens.Audience != ""; {
	case c.PolicyFile != "" && c.TLS.ClientCAFile == "" && !tokens:
		return errors.New("--policy-file needs --client-ca-file or --token-audience: without certificates and tokens, callers have no identity")
	case tokens && (c.PolicyFile == "" || !c.TLS.enabled()):
		return errors.New("--token-audience needs --policy-file, which says whose tokens are served, and --tls-cert-file and --tls-key-file, " +
			"because a token must not be sent in plaintext")
	}
	return errors.Join(c.Limits.validate(), c.TLS.validate(), c.Reflection.validate())
}

// listen opens the planner's socket. Snapshots and plans hold pod templates, and those hold secrets: plaintext leaves
// the machine only if somebody says so.
func (c Config) listen() (net.Listener, error) {
	l, err := net.Listen("tcp", c.ListenAddress)
	if err != nil {
		return nil, fmt.Errorf("--listen-address: %w", err)
	}
	if c.TLS.enabled() || c.InsecurePlaintext || l.Addr().(*net.TCPAddr).IP.IsLoopback() {
		return l, nil
	}
	return nil, errors.Join(l.Close(), fmt.Errorf("--listen-address %s is reachable from other machines, and TLS is off: "+
		"give --tls-cert-file and --tls-key-file, listen on a loopback address, or accept plaintext with --insecure-plaintext",
		c.ListenAddress))
}
