package server

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// TLSFiles are PEM files. All empty: plaintext.
type TLSFiles struct {
	CertFile     string // the server's certificate, followed by its intermediates
	KeyFile      string // the key of CertFile
	ClientCAFile string // if set, callers must present a certificate of one of these authorities
}

func (f TLSFiles) validate() error {
	switch {
	case (f.CertFile == "") != (f.KeyFile == ""):
		return errors.New("--tls-cert-file and --tls-key-file go together: give both or neither")
	case f.ClientCAFile != "" && f.CertFile == "":
		return errors.New("--client-ca-file needs --tls-cert-file and --tls-key-file: callers cannot be authenticated without TLS")
	}
	return nil
}

func (f TLSFiles) enabled() bool { return f.CertFile != "" }

// mode is for the log.
func (f TLSFiles) mode() string {
	switch {
	case !f.enabled():
		return "off"
	case f.ClientCAFile == "":
		return "server"
	}
	return "mutual"
}

// certificates serves the newest content of the files. Each handshake compares modification times, so that a rotated
// certificate needs no restart. Files that cannot be read, as in the middle of a rotation, leave the last good ones in
// place.
type certificates struct {
	files TLSFiles
	log   *slog.Logger

	mu      sync.Mutex
	seen    [3]stamp
	current *tls.Config
}

// stamp tells two versions of a file apart.
type stamp struct {
	modified time.Time
	size     int64
}

// newCertificates reads the files once, so that a mistake is found at the start.
func newCertificates(files TLSFiles, log *slog.Logger) (*certificates, error) {
	c := &certificates{files: files, log: log, seen: files.stamps()}
	var err error
	c.current, err = files.load()
	return c, err
}

// config is what the listener uses; it asks us at every handshake.
func (c *certificates) config() *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS12,
		NextProtos:         []string{"h2"},
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return c.newest(), nil },
	}
}

func (c *certificates) newest() *tls.Config {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.files.stamps()
	if now == c.seen {
		return c.current
	}
	c.seen = now
	loaded, err := c.files.load()
	if err != nil {
		c.log.Warn("the changed certificate files cannot be used; the last good ones stay", "error", err)
		return c.current
	}
	c.log.Info("certificate files reloaded")
	c.current = loaded
	return c.current
}

func (f TLSFiles) stamps() (out [3]stamp) {
	for i, name := range [...]string{f.CertFile, f.KeyFile, f.ClientCAFile} {
		if info, err := os.Stat(name); err == nil {
			out[i] = stamp{info.ModTime(), info.Size()}
		}
	}
	return out
}

func (f TLSFiles) load() (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(f.CertFile, f.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert-file %s, --tls-key-file %s: %w", f.CertFile, f.KeyFile, err)
	}
	out := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2"}, Certificates: []tls.Certificate{pair}}
	if f.ClientCAFile == "" {
		return out, nil
	}
	pem, err := os.ReadFile(f.ClientCAFile)
	if err != nil {
		return nil, fmt.Errorf("--client-ca-file: %w", err)
	}
	out.ClientAuth = tls.RequireAndVerifyClientCert
	out.ClientCAs = x509.NewCertPool()
	if !out.ClientCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("--client-ca-file %s: no certificate in it", f.ClientCAFile)
	}
	return out, nil
}
