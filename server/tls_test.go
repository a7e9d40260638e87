package server

import (
	"crypto/tls"
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
	r := start(t, Config{TLS: files}, nil)
	served := func() string {
		connection, err := tls.Dial("tcp", r.Addr().String(), &tls.Config{RootCAs: ca.pool(), NextProtos: []string{"h2"}})
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		return connection.ConnectionState().PeerCertificates[0].Subject.CommonName
	}
	touch := func(seconds int) { // file systems may be too coarse to see two writes of one test
		at := time.Now().Add(time.Duration(seconds) * time.Second)
		if err := os.Chtimes(files.CertFile, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if got := served(); got != "first" {
		t.Fatalf("served %q, want the first", got)
	}
	if err := os.WriteFile(files.CertFile, []byte("half a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	touch(10)
	if got := served(); got != "first" {
		t.Errorf("served %q in the middle of a rotation, want the first", got)
	}
	ca.issueTo(t, "second", files.CertFile, files.KeyFile)
	touch(20)
	if got := served(); got != "second" {
		t.Errorf("served %q after the rotation, want the second", got)
	}
}
