package server

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/connectivity"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestRemovedAuthority: removing an authority closes the connections that it let in, and no others.
func TestRemovedAuthority(t *testing.T) {
	ca, leaving := newAuthority(t), newAuthority(t)
	files := TLSFiles{ClientCAFile: ca.file(t)}
	files.CertFile, files.KeyFile = ca.issue(t, "server")
	trust := func(authorities ...*authority) {
		var both []byte
		for _, a := range authorities {
			data, err := os.ReadFile(a.file(t))
			if err != nil {
				t.Fatal(err)
			}
			both = append(both, data...)
		}
		if err := os.WriteFile(files.ClientCAFile, both, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	trust(ca, leaving)
	r := start(t, Config{TLS: files}, lookOften)
	r.ca = ca
	stays, goes := r.dial(t, pair(t, ca)), r.dial(t, pair(t, leaving))
	goesOn(t, setplanv1.NewPlannerServiceClient(stays))
	goesOn(t, setplanv1.NewPlannerServiceClient(goes))

	trust(ca)
	if !goes.WaitForStateChange(testContext(t), connectivity.Ready) {
		t.Fatal("the connection of a removed authority goes on")
	}
	_, err := setplanv1.NewPlannerServiceClient(goes).Plan(testContext(t), request())
	if err == nil {
		t.Error("a caller of a removed authority gets a plan")
	}
	waitFor(t, func() bool { return strings.Contains(r.log.String(), `msg="connection ended"`) })
	if state := stays.GetState(); state != connectivity.Ready {
		t.Errorf("the connection of an authority that stays is %s", state)
	}
	goesOn(t, setplanv1.NewPlannerServiceClient(stays))
	if n := strings.Count(r.log.String(), `msg="connection ended"`); n != 1 {
		t.Errorf("%d connections were ended, want 1:\n%s", n, r.log)
	}
}

// TestResumedSession: a TLS session says of itself which authority let it in. It is not resumed once that one was removed.
func TestResumedSession(t *testing.T) {
	ca, leaving := newAuthority(t), newAuthority(t)
	files := TLSFiles{ClientCAFile: ca.file(t)}
	files.CertFile, files.KeyFile = ca.issue(t, "server")
	replace(t, files.ClientCAFile, append(pemOf(ca), pemOf(leaving)...))
	r := start(t, Config{TLS: files}, lookOften)
	config := &tls.Config{RootCAs: ca.pool(), NextProtos: []string{"h2"}, Certificates: []tls.Certificate{pair(t, leaving)}, ClientSessionCache: tls.NewLRUClientSessionCache(1)}
	greeted := func() (resumed bool, err error) {
		c, err := tls.Dial("tcp", r.Addr().String(), config)
		if err != nil {
			return false, err
		}
		defer c.Close()
		_, err = c.Read(make([]byte, 1)) // with what the server says first comes the session
		return c.ConnectionState().DidResume, err
	}
	if _, err := greeted(); err != nil {
		t.Fatal(err)
	}
	if resumed, err := greeted(); err != nil || !resumed {
		t.Fatalf("resumed: %v, %v", resumed, err)
	}
	replace(t, files.ClientCAFile, pemOf(ca))
	waitFor(t, func() bool { return strings.Contains(r.log.String(), "certificate files reloaded") })
	if resumed, err := greeted(); err == nil {
		t.Errorf("a removed authority lets somebody in; resumed: %v", resumed)
	}
}

// admit makes a connection that a certificate of this authority let in.
func admit(t *testing.T, a *admitted, ca *authority, change func(*x509.Certificate)) (ours, theirs net.Conn) {
	t.Helper()
	certificate, err := x509.ParseCertificate(ca.client(t, change).Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	here, there := net.Pipe()
	t.Cleanup(func() { _ = there.Close() })
	state := tls.ConnectionState{PeerCertificates: []*x509.Certificate{certificate}}
	return a.add(here, here, state), there
}

func closed(theirs net.Conn) bool {
	_ = theirs.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
	_, err := theirs.Read(make([]byte, 1))
	return errors.Is(err, io.EOF)
}

// TestExpiredCertificate: an open connection ends when its certificate expires.
func TestExpiredCertificate(t *testing.T) {
	ca, a := newAuthority(t), newAdmitted(slog.New(slog.DiscardHandler))
	end := time.Now().Add(30 * time.Minute)
	_, theirs := admit(t, a, ca, func(c *x509.Certificate) { c.NotAfter = end })
	pool := ca.pool()
	if a.sweep(pool, time.Now()); closed(theirs) {
		t.Error("a connection with a good certificate was ended")
	}
	a.busy = func(net.Addr) bool { return true }
	if a.sweep(pool, end.Add(-time.Second)); closed(theirs) {
		t.Error("a connection with a call was ended before its certificate")
	}
	if a.sweep(pool, end.Add(time.Second)); !closed(theirs) {
		t.Error("a connection outlives its certificate")
	}
}

// TestFarewell: a connection without a call ends shortly before its certificate does, so that no call is cut.
func TestFarewell(t *testing.T) {
	for what, life := range map[string]time.Duration{"a day": 24 * time.Hour, "a minute": time.Minute} {
		ca, a := newAuthority(t), newAdmitted(slog.New(slog.DiscardHandler))
		begin := time.Now().Add(-time.Second).Truncate(time.Second)
		end, early := begin.Add(life), min(farewell, life/10)
		_, theirs := admit(t, a, ca, func(c *x509.Certificate) { c.NotBefore, c.NotAfter = begin, end })
		pool := ca.pool()
		ca.certificate.NotAfter = end.Add(time.Hour)
		if a.sweep(pool, end.Add(-early-time.Second)); closed(theirs) {
			t.Errorf("%s: a connection was ended %s and a second before its certificate", what, early)
		}
		if a.sweep(pool, end.Add(-early+time.Second)); !closed(theirs) {
			t.Errorf("%s: a connection without a call goes on to the end of its certificate", what)
		}
	}
}

// TestRemovedAfterACheck: a connection that passed a check is checked again once the authorities have changed.
func TestRemovedAfterACheck(t *testing.T) {
	ca, a := newAuthority(t), newAdmitted(slog.New(slog.DiscardHandler))
	_, theirs := admit(t, a, ca, func(*x509.Certificate) {})
	if a.sweep(ca.pool(), time.Now()); closed(theirs) {
		t.Fatal("a connection with a good certificate was ended")
	}
	if a.sweep(newAuthority(t).pool(), time.Now()); !closed(theirs) {
		t.Error("a connection that was let in by a removed authority goes on")
	}
}

// TestHandshakeDuringTheChange: a handshake may have begun with authorities that have since been removed.
func TestHandshakeDuringTheChange(t *testing.T) {
	ca, a := newAuthority(t), newAdmitted(slog.New(slog.DiscardHandler))
	now := newAuthority(t).pool()
	a.sweep(now, time.Now())
	_, theirs := admit(t, a, ca, func(*x509.Certificate) {})
	if a.sweep(now, time.Now()); !closed(theirs) {
		t.Error("a connection that was let in by a removed authority goes on")
	}
}

// TestAdmittedForget: a closed connection is not remembered.
func TestAdmittedForget(t *testing.T) {
	ca, a := newAuthority(t), newAdmitted(slog.New(slog.DiscardHandler))
	ours, _ := admit(t, a, ca, func(*x509.Certificate) {})
	_ = ours.Close()
	if n := len(a.connections); n != 0 {
		t.Errorf("%d connections are remembered, want none", n)
	}
}
