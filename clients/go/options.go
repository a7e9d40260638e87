package setplan

import (
	"crypto/tls"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/resolver"
)

// The defaults of Dial.
const (
	// DefaultTimeout is the deadline of a call whose context has none, retries included.
	DefaultTimeout = 10 * time.Second
	// DefaultMaxMessageBytes bounds a request, in bytes; it is the server's default. An answer has at most that and 24 MiB.
	DefaultMaxMessageBytes = 64 << 20
)

// Option changes how Dial connects. A bad option is an error of Dial.
type Option func(*settings) error

type settings struct {
	transport       credentials.TransportCredentials
	unverified      bool // whoever answers is taken for the planner
	timeout         time.Duration
	maxMessageBytes int
	userAgent       string
	names           names
	token           tokenFile // empty: none
	extra           []grpc.DialOption
}

func defaults() settings {
	return settings{timeout: DefaultTimeout, maxMessageBytes: DefaultMaxMessageBytes, userAgent: "setplan-go",
		names: names{resolver.Get("dns"), lookEvery}}
}

// protect sets the transport once: two answers to "how is it protected" are a mistake, because the weaker one could win.
func (s *settings) protect(c credentials.TransportCredentials) error {
	if s.transport != nil {
		return errors.New("more than one of WithTLSFiles, WithTLSConfig and WithInsecure")
	}
	s.transport = c
	return nil
}

// WithTLSFiles uses TLS. caFile holds the authorities for the server's certificate; empty means the system's. certFile and keyFile
// are the client's certificate for a server that asks for one; both or neither. All are read again at every handshake, because
// certificates are rotated.
func WithTLSFiles(caFile, certFile, keyFile string) Option {
	return func(s *settings) error {
		files := &tlsFiles{ca: caFile, cert: certFile, key: keyFile}
		c, err := files.credentials()
		if err != nil {
			return err
		}
		return s.protect(c)
	}
}

// WithTLSConfig uses TLS as the configuration says.
func WithTLSConfig(config *tls.Config) Option {
	return func(s *settings) error {
		s.unverified = config.InsecureSkipVerify && config.VerifyPeerCertificate == nil && config.VerifyConnection == nil
		return s.protect(credentials.NewTLS(config))
	}
}

// WithInsecure uses plaintext. It is only for a planner on the same machine: snapshots and plans hold pod templates, and those hold
// secrets.
func WithInsecure() Option {
	return func(s *settings) error { return s.protect(insecure.NewCredentials()) }
}

// WithTokenFile sends a bearer token with each call, over TLS and to a verified server only. The file is read again for each call, because tokens are rotated: those
// that Kubernetes projects into a pod live for an hour.
func WithTokenFile(path string) Option {
	return func(s *settings) error {
		s.token = tokenFile(path)
		_, err := s.token.read()
		return err
	}
}

// WithTimeout replaces DefaultTimeout.
func WithTimeout(d time.Duration) Option {
	return func(s *settings) error {
		if d <= 0 {
			return fmt.Errorf("timeout is %s, must be positive", d)
		}
		s.timeout = d
		return nil
	}
}

// WithMaxMessageBytes replaces DefaultMaxMessageBytes.
func WithMaxMessageBytes(n int) Option {
	return func(s *settings) error {
		if n <= 0 {
			return fmt.Errorf("message limit is %d bytes, must be positive", n)
		}
		s.maxMessageBytes = n
		return nil
	}
}

// WithUserAgent names the program in front of this library's and gRPC's own user agents.
func WithUserAgent(name string) Option {
	return func(s *settings) error {
		s.userAgent = name + " " + s.userAgent
		return nil
	}
}

// WithDialOptions adds gRPC options, such as interceptors. They come last and win over ours.
func WithDialOptions(options ...grpc.DialOption) Option {
	return func(s *settings) error {
		s.extra = append(s.extra, options...)
		return nil
	}
}
