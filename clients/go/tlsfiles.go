package setplan

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"

	"google.golang.org/grpc/credentials"
)

// tlsFiles are PEM files with certificates, which are replaced from time to time. They are read at every handshake; while they cannot be
// used, for example in the middle of a replacement, the last good content stays in use.
type tlsFiles struct {
	ca        string // empty: the system's authorities
	cert, key string // empty: no client certificate

	mu   sync.Mutex
	good *tls.Config
}

func (f *tlsFiles) read() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if f.ca != "" {
		pem, err := os.ReadFile(f.ca)
		if err != nil {
			return nil, fmt.Errorf("certificate authorities: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("certificate authorities: no certificate in %s", f.ca)
		}
	}
	if (f.cert == "") != (f.key == "") {
		return nil, errors.New("a client certificate needs both a certificate file and a key file")
	}
	if f.cert != "" {
		pair, err := tls.LoadX509KeyPair(f.cert, f.key)
		if err != nil {
			return nil, fmt.Errorf("client certificate: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// newest is the newest good content.
func (f *tlsFiles) newest() (*tls.Config, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	config, err := f.read()
	if err == nil {
		f.good = config
	} else if f.good == nil {
		return nil, err
	}
	return f.good, nil
}

// credentials reads the files once, so that Dial finds a mistake in them.
func (f *tlsFiles) credentials() (credentials.TransportCredentials, error) {
	config, err := f.newest()
	if err != nil {
		return nil, err
	}
	return rereading{credentials.NewTLS(config), f}, nil
}

// rereading are credentials that read their files at every handshake.
type rereading struct {
	credentials.TransportCredentials
	files *tlsFiles
}

// ClientHandshake implements credentials.TransportCredentials.
func (r rereading) ClientHandshake(ctx context.Context, authority string, raw net.Conn) (net.Conn, credentials.AuthInfo, error) {
	config, err := r.files.newest()
	if err != nil {
		return nil, nil, err
	}
	return credentials.NewTLS(config).ClientHandshake(ctx, authority, raw)
}

// Clone implements credentials.TransportCredentials.
func (r rereading) Clone() credentials.TransportCredentials {
	return rereading{r.TransportCredentials.Clone(), r.files}
}
