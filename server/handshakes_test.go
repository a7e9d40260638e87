package server

import (
	"crypto/tls"
	"net"
	"strings"
	"testing"
	"time"
)

// shake tries to connect, and waits until the server closes the connection.
func shake(t *testing.T, r *running, config *tls.Config) {
	t.Helper()
	connection, err := tls.Dial("tcp", r.Addr().String(), config)
	if err != nil {
		return
	}
	defer connection.Close()
	_ = connection.SetReadDeadline(time.Now().Add(patience))
	if _, err := connection.Read(make([]byte, 1)); err == nil {
		t.Error("the server answers a peer that it should refuse")
	}
}

func mutual(t *testing.T) (*running, *authority) {
	t.Helper()
	ca := newAuthority(t)
	files := TLSFiles{ClientCAFile: ca.file(t)}
	files.CertFile, files.KeyFile = ca.issue(t, "server")
	r := start(t, Config{TLS: files}, nil)
	r.ca = ca
	return r, ca
}

// TestRefusedHandshakesAreLogged: an operator first wants to know who is refused, and why.
func TestRefusedHandshakesAreLogged(t *testing.T) {
	r, ca := mutual(t)
	stranger := newAuthority(t)
	for reason, try := range map[string]func(){
		"client didn't provide a certificate": func() {
			shake(t, r, &tls.Config{RootCAs: ca.pool(), NextProtos: []string{"h2"}})
		},
		"certificate signed by unknown authority": func() {
			shake(t, r, &tls.Config{RootCAs: ca.pool(), NextProtos: []string{"h2"}, Certificates: []tls.Certificate{pair(t, stranger)}})
		},
		"does not look like a TLS handshake": func() {
			connection, err := net.Dial("tcp", r.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer connection.Close()
			_, _ = connection.Write([]byte("GET / HTTP/1.1\r\n\r\n"))
			_, _ = connection.Read(make([]byte, 100))
		},
	} {
		try()
		waitFor(t, func() bool {
			for line := range strings.Lines(r.log.String()) {
				if strings.Contains(line, reason) && strings.Contains(line, "peer.address=127.0.0.1:") {
					return true
				}
			}
			return false
		})
	}
}

// TestRefusedHandshakesAreBounded: a peer must control neither how much is logged nor how it looks.
func TestRefusedHandshakesAreBounded(t *testing.T) {
	r, ca := mutual(t)
	stranger := newAuthority(t)

	config := &tls.Config{RootCAs: ca.pool(), NextProtos: []string{"h2"}, Certificates: []tls.Certificate{pair(t, stranger)}}
	const tries = 200
	begin := time.Now()
	for range tries {
		shake(t, r, config)
	}
	refusals := func() int { return strings.Count(r.log.String(), `msg="handshake refused"`) }
	waitFor(t, func() bool { return refusals()+leftOut(t, r) == tries })
	if most := strangersAtOnce + strangersPerSecond*int(time.Since(begin).Seconds()+1); refusals() > most {
		t.Errorf("%d refused handshakes wrote %d lines, want at most %d", tries, refusals(), most)
	}
}
