package server

import (
	"crypto/tls"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func TestPlaintextStaysOnTheMachine(t *testing.T) {
	_, err := New(Config{ListenAddress: "0.0.0.0:0"})
	if err == nil {
		t.Fatal("plaintext on every interface was accepted")
	}
	for _, flag := range []string{"--listen-address", "--tls-cert-file", "--tls-key-file", "--insecure-plaintext"} {
		if !strings.Contains(err.Error(), flag) {
			t.Errorf("%q does not name %s", err, flag)
		}
	}
	for reason, config := range map[string]Config{
		"somebody said so": {ListenAddress: "0.0.0.0:0", InsecurePlaintext: true},
		"loopback":         {ListenAddress: "localhost:0"},
	} {
		s, err := New(config)
		if err != nil {
			t.Errorf("%s: %v", reason, err)
			continue
		}
		_ = s.listener.Close()
	}
}

func TestBadConfigurations(t *testing.T) {
	ca := newAuthority(t)
	cert, key := ca.issue(t, "server")
	notPEM := cert + ".txt"
	if err := os.WriteFile(notPEM, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	for reason, test := range map[string]struct {
		config Config
		flag   string
	}{
		"certificate without key": {Config{TLS: TLSFiles{CertFile: cert}}, "--tls-key-file"},
		"client CA without TLS":   {Config{TLS: TLSFiles{ClientCAFile: cert}}, "--client-ca-file"},
		"no such file":            {Config{TLS: TLSFiles{CertFile: cert + "x", KeyFile: key}}, "--tls-cert-file"},
		"client CA is no PEM":     {Config{TLS: TLSFiles{CertFile: cert, KeyFile: key, ClientCAFile: notPEM}}, "--client-ca-file"},
		"negative pods":           {Config{Limits: Limits{MaxPods: -1}}, "--max-pods"},
		"tiny messages":           {Config{Limits: Limits{MaxMessageBytes: 1}}, "--max-message-bytes"},
		"negative drain":          {Config{DrainTimeout: -1}, "--drain-timeout"},
		"odd reflection":          {Config{Reflection: "perhaps"}, "--reflection"},
		"no port":                 {Config{ListenAddress: "127.0.0.1"}, "--listen-address"},
		"metrics on no address":   {Config{ListenAddress: "127.0.0.1:0", MetricsAddress: "nowhere"}, "--metrics-address"},
	} {
		if _, err := New(test.config); err == nil || !strings.Contains(err.Error(), test.flag) {
			t.Errorf("%s: err = %v, want one that names %s", reason, err, test.flag)
		}
	}
}

func TestMutualTLS(t *testing.T) {
	ca := newAuthority(t)
	files := TLSFiles{ClientCAFile: ca.file(t)}
	files.CertFile, files.KeyFile = ca.issue(t, "server")
	r := start(t, Config{TLS: files}, nil)
	r.ca = ca
	stranger := newAuthority(t)
	for reason, test := range map[string]struct {
		certificates []tls.Certificate
		code         codes.Code
	}{
		"no certificate":                       {nil, codes.Unavailable},
		"a certificate of another authority":   {[]tls.Certificate{pair(t, stranger)}, codes.Unavailable},
		"a certificate of the right authority": {[]tls.Certificate{pair(t, ca)}, codes.OK},
	} {
		planner := setplanv1.NewPlannerServiceClient(r.dial(t, test.certificates...))
		if _, err := planner.Plan(testContext(t), request()); status.Code(err) != test.code {
			t.Errorf("%s: err = %v, want code %v", reason, err, test.code)
		}
	}
}

func pair(t *testing.T, ca *authority) tls.Certificate {
	out, err := tls.LoadX509KeyPair(ca.issue(t, "client"))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCertificatesAreReadAgain(t *testing.T) {
	ca := newAuthority(t)
	var files TLSFiles
	files.CertFile, files.KeyFile = ca.issue(t, "first")
	r := start(t, Config{TLS: files}, lookOften)
	served := func() string {
		connection, err := tls.Dial("tcp", r.Addr().String(), &tls.Config{RootCAs: ca.pool(), NextProtos: []string{"h2"}})
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		return connection.ConnectionState().PeerCertificates[0].Subject.CommonName
	}
	if got := served(); got != "first" {
		t.Fatalf("served %q, want the first", got)
	}
	// The same size and time as before, as on a file system with coarse times, and never half a file.
	before := looksOf(t, files.CertFile)
	cert, key := ca.issue(t, "other")
	for looksOf(t, cert).size != before.size {
		ca.issueTo(t, "other", cert, key)
	}
	err := errors.Join(os.Chtimes(cert, before.modified, before.modified), os.Rename(cert, files.CertFile), os.Rename(key, files.KeyFile))
	if err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return served() == "other" })

	if err := os.WriteFile(files.CertFile, []byte("half a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return strings.Contains(r.log.String(), "failed to find any PEM data") })
	if got := served(); got != "other" {
		t.Errorf("served %q in the middle of a rotation, want the last good one", got)
	}
	ca.issueTo(t, "third", files.CertFile, files.KeyFile)
	waitFor(t, func() bool { return served() == "third" })
}

// lookOften makes the server look for rotated files often, so that tests need not wait.
func lookOften(s *Server) { s.files.every = 5 * time.Millisecond }

// looks are a file's properties that can be seen without reading it.
type looks struct {
	size     int64
	modified time.Time
}

func looksOf(t *testing.T, name string) looks {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return looks{info.Size(), info.ModTime()}
}
