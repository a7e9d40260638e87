package server

import (
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/metadata"
)

// TestHalfAGreeting: a connection that never finishes its handshake is closed, on either port.
func TestHalfAGreeting(t *testing.T) {
	t.Parallel() // it waits for ten seconds
	r := start(t, Config{MetricsAddress: "127.0.0.1:0"}, nil)
	open := map[string]net.Conn{}
	for what, test := range map[string]struct{ address, says string }{
		"a handshake that does not begin":      {r.Addr().String(), ""},
		"a handshake that does not go on":      {r.Addr().String(), "\x16\x03\x01\x02\x00\x01"},
		"a request for metrics without an end": {r.MetricsAddr().String(), "GET /metrics HTTP/1.1\r\nHost: x\r\n"},
		"a connection for metrics and no word": {r.MetricsAddr().String(), ""},
	} {
		c, err := net.Dial("tcp", test.address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_, _ = c.Write([]byte(test.says))
		open[what] = c
	}
	for what, c := range open {
		_ = c.SetReadDeadline(time.Now().Add(patience + handshakeTimeout))
		var err error
		for err == nil {
			_, err = c.Read(make([]byte, 1000))
		}
		if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
			t.Errorf("%s stays", what)
		}
	}
}

// TestLongHeaders: a caller with too long headers is refused, and no other is.
func TestLongHeaders(t *testing.T) {
	r := start(t, Config{}, nil)
	planner := r.planner(t)
	for size, refused := range map[int]bool{maxHeaderBytes / 2: false, 2 * maxHeaderBytes: true} {
		ctx := metadata.AppendToOutgoingContext(testContext(t), "token", strings.Repeat("x", size))
		if _, err := r.planner(t).Plan(ctx, request()); (err != nil) != refused {
			t.Errorf("%d bytes of headers: %v", size, err)
		}
	}
	goesOn(t, planner)
}
