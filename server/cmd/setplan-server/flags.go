package main

import (
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/pflag"

	"github.com/setplan/setplan/server"
)

// flags hold what the command line says.
type flags struct {
	config    server.Config
	logLevel  string
	logFormat string
}

func (f *flags) register(set *pflag.FlagSet) {
	c := &f.config
	set.SortFlags = false
	set.StringVar(&c.ListenAddress, "listen-address", server.DefaultListenAddress,
		"host:port to serve gRPC on; port 0 picks a free one, which the log line \"listening\" names")
	set.StringVar(&c.MetricsAddress, "metrics-address", "",
		"host:port to serve /metrics, /healthz and /readyz on, over plain HTTP; empty: off")
	set.StringVar(&c.TLS.CertFile, "tls-cert-file", "",
		"PEM file with the server's certificate and its intermediates; reloaded when it changes")
	set.StringVar(&c.TLS.KeyFile, "tls-key-file", "", "PEM file with the certificate's private key")
	set.StringVar(&c.TLS.ClientCAFile, "client-ca-file", "",
		"PEM file with CAs; callers must then present a certificate signed by one of them")
	set.StringVar(&c.PolicyFile, "policy-file", "",
		"YAML file that maps the identities of client certificates and tokens to clusters and their limits; nobody else is served; reloaded when it changes")
	set.StringVar(&c.Tokens.Audience, "token-audience", "",
		"also serve callers of the server's own cluster that show a service account's token for this audience, which the API server checks; empty: off")
	set.BoolVar(&c.InsecurePlaintext, "insecure-plaintext", false,
		"serve without TLS on an address that other machines can reach")
	set.StringVar((*string)(&c.Reflection), "reflection", string(server.ReflectionAuto),
		"gRPC reflection for callers such as grpcurl: on, off, or auto (on for loopback addresses)")
	set.IntVar(&c.Limits.MaxMessageBytes, "max-message-bytes", server.DefaultMaxMessageBytes,
		"largest request and response, in bytes")
	set.IntVar(&c.Limits.MaxPods, "max-pods", server.DefaultMaxPods, "maximum number of pods in one snapshot")
	set.Int64Var(&c.Limits.MaxInflightBytes, "max-inflight-bytes", 0,
		"memory for all requests and answers in flight; further calls wait or are rejected. 0: half of GOMEMLIMIT, or 512 MiB without it")
	set.DurationVar(&c.DrainTimeout, "drain-timeout", server.DefaultDrainTimeout,
		"how long calls in flight may continue after SIGTERM")
	set.StringVar(&f.logLevel, "log-level", "info", "debug, info, warn or error")
	set.StringVar(&f.logFormat, "log-format", "text", "text or json; one line per call, on stderr")
}

// check refuses an explicit 0, which server.Config would take for "the default".
func (f *flags) check() error {
	for _, flag := range []struct {
		name string
		zero bool
	}{
		{"--listen-address", f.config.ListenAddress == ""},
		{"--reflection", f.config.Reflection == ""},
		{"--max-message-bytes", f.config.Limits.MaxMessageBytes == 0},
		{"--max-pods", f.config.Limits.MaxPods == 0},
		{"--drain-timeout", f.config.DrainTimeout == 0},
	} {
		if flag.zero {
			return fmt.Errorf("%s must not be empty or 0", flag.name)
		}
	}
	return nil
}

func (f *flags) logger(w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(f.logLevel)); err != nil {
		return nil, fmt.Errorf("--log-level is %q, must be debug, info, warn or error", f.logLevel)
	}
	options := &slog.HandlerOptions{Level: level}
	switch f.logFormat {
	case "text":
		return slog.New(slog.NewTextHandler(w, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return nil, fmt.Errorf("--log-format is %q, must be text or json", f.logFormat)
}
