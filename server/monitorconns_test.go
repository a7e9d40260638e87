package server

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"
)

// TestIdleConnectionsOfTheMonitor: connections that stay silent, or stay open after an answer, neither take memory without
// end nor keep probes out.
func TestIdleConnectionsOfTheMonitor(t *testing.T) {
	r := start(t, Config{MetricsAddress: "127.0.0.1:0"}, nil)
	address := r.MetricsAddr().String()
	const many = 3 * maxMonitorConnections
	var all []net.Conn
	for i := range many {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		all = append(all, c)
		if i%2 == 0 {
			continue // silent
		}
		_, _ = fmt.Fprintf(c, "GET /healthz HTTP/1.1\r\nHost: %s\r\n\r\n", address)
		if i < maxMonitorConnections {
			if answer, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || answer.StatusCode != http.StatusOK {
				t.Fatalf("before there are too many: %v", err)
			}
		}
	}
	get(t, "http://"+address+"/healthz", http.StatusOK)
	waitFor(t, func() bool { return openOf(all) <= maxMonitorConnections })
}

// openOf counts the connections that the other side has not closed.
func openOf(all []net.Conn) (open int) {
	for _, c := range all {
		_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
		var err error
		for buffer := make([]byte, 4096); err == nil; {
			_, err = c.Read(buffer)
		}
		if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
			open++
		}
	}
	return open
}
