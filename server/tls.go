package server

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"time"
)

// TLSFiles are PEM files. All empty: plaintext.
type TLSFiles struct {
	CertFile     string // the server's certificate, followed by its intermediates
	KeyFile      string // the key of CertFile
	ClientCAFile string // if set, callers must present a certificate of one of these authorities

	optional bool // callers without a certificate may have a token
}

func (f TLSFiles) validate() error {
	switch {
	case (f.CertFile == "") != (f.KeyFile == ""):
		return errors.New("--tls-cert-file and --tls-key-file must be given together")
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
	case f.optional:
		return "mutual or token"
	}
	return "mutual"
}

// certificates serves the newest content of the files, so that a rotated certificate needs no restart. A handshake reads no
// file, so that a flood of them does not keep a disk busy. While the files cannot be used, for example in the middle of a
// rotation, the last good content stays in use.
type certificates struct {
	files    TLSFiles
	log      *slog.Logger
	every    time.Duration // between two looks at the files
	admitted *admitted

	current atomic.Pointer[tls.Config]
	expiry  atomic.Pointer[expiry]
	seen    sums // touched by look only
}

// lookEvery is how long a changed file waits, and how long a bad certificate stays in use, at most.
const lookEvery = 5 * time.Second

// newCertificates reads the files once, so that a mistake is found at the start.
func newCertificates(files TLSFiles, log *slog.Logger) (*certificates, error) {
	c := &certificates{files: files, log: log, every: lookEvery, admitted: newAdmitted(log)}
	read := files.read()
	loaded, err := files.load(read)
	if err != nil {
		return nil, err
	}
	c.seen = read.sums()
	c.use(loaded, read)
	return c, nil
}

// config is what the listener uses; it asks us at every handshake.
func (c *certificates) config() *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS12,
		NextProtos:         []string{"h2"},
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return c.current.Load(), nil },
	}
}

// watch looks at the files, and at the connections that they let in, until ctx is done.
func (c *certificates) watch(ctx context.Context) {
	ticker := time.NewTicker(c.every / 2) // the second look takes a changed policy file
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			c.look()
			if c.admitted.policy != nil {
				c.admitted.policy.Look()
			}
			c.admitted.sweep(c.current.Load().ClientCAs, time.Now())
		}
	}
}

// look compares the contents of the files: two versions may have the same size and, on a coarse file system, the same time.
func (c *certificates) look() {
	read := c.files.read()
	now := read.sums()
	if now == c.seen {
		return
	}
	c.seen = now
	loaded, err := c.files.load(read)
	if err != nil {
		c.log.Warn("the changed certificate files are invalid; the last valid ones stay in use", "error", err)
		return
	}
	c.log.Info("certificate files reloaded")
	c.use(loaded, read)
}

func (c *certificates) use(loaded *tls.Config, read *contents) {
	c.current.Store(loaded)
	c.expiry.Store(&expiry{server: loaded.Certificates[0].Leaf.NotAfter, clientCAs: firstEnd(read.clientCA)})
}

// contents are the contents of the files of TLSFiles.
type contents struct {
	cert, key, clientCA          []byte
	certErr, keyErr, clientCAErr error
}

// sums tell two contents apart without keeping a key.
type sums [3][sha256.Size]byte

func (c *contents) sums() sums {
	return sums{sha256.Sum256(c.cert), sha256.Sum256(c.key), sha256.Sum256(c.clientCA)}
}

func (f TLSFiles) read() *contents {
	c := &contents{}
	c.cert, c.certErr = os.ReadFile(f.CertFile)
	c.key, c.keyErr = os.ReadFile(f.KeyFile)
	if f.ClientCAFile != "" {
		c.clientCA, c.clientCAErr = os.ReadFile(f.ClientCAFile)
	}
	return c
}

func (f TLSFiles) load(c *contents) (*tls.Config, error) {
	pair, err := tls.X509KeyPair(c.cert, c.key)
	if unread := errors.Join(c.certErr, c.keyErr); unread != nil {
		err = unread
	}
	if err != nil {
		return nil, fmt.Errorf("--tls-cert-file %s, --tls-key-file %s: %w", f.CertFile, f.KeyFile, err)
	}
	out := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2"}, Certificates: []tls.Certificate{pair}}
	if f.ClientCAFile == "" {
		return out, nil
	}
	if c.clientCAErr != nil {
		return nil, fmt.Errorf("--client-ca-file: %w", c.clientCAErr)
	}
	out.ClientAuth = tls.RequireAndVerifyClientCert
	if f.optional {
		out.ClientAuth = tls.VerifyClientCertIfGiven // each call of the others needs a token
	}
	out.ClientCAs = x509.NewCertPool()
	if !out.ClientCAs.AppendCertsFromPEM(c.clientCA) {
		return nil, fmt.Errorf("--client-ca-file %s: no certificate in it", f.ClientCAFile)
	}
	return out, nil
}
