package server

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// maxMonitorConnections is many times what probes and a pair of Prometheus servers keep open.
const maxMonitorConnections = 64

// openConnections bounds the connections of the monitor. Beyond the bound it closes an old one instead of refusing the new
// one: otherwise whoever keeps connections open would keep probes out, and a failing probe kills the server.
type openConnections struct {
	mu   sync.Mutex
	open map[net.Conn]activity
}

// activity says what a connection is doing, and since when.
type activity struct {
	busy  bool
	since time.Time
}

func newOpenConnections() *openConnections { return &openConnections{open: map[net.Conn]activity{}} }

// changed is a hook of http.Server.
func (o *openConnections) changed(c net.Conn, state http.ConnState) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch state {
	case http.StateClosed, http.StateHijacked:
		delete(o.open, c)
		return
	case http.StateNew:
		if len(o.open) >= maxMonitorConnections {
			o.closeOne()
		}
	default:
		if _, known := o.open[c]; !known {
			return // closed by us a moment ago
		}
	}
	o.open[c] = activity{busy: state == http.StateActive, since: time.Now()}
}

// closeOne closes the connection that has been quiet longest, or if none is quiet the one that has been busy longest: an
// honest request takes a few milliseconds.
func (o *openConnections) closeOne() {
	var victim net.Conn
	var worst activity
	for c, a := range o.open {
		quieter := worst.busy && !a.busy
		if victim == nil || quieter || worst.busy == a.busy && a.since.Before(worst.since) {
			victim, worst = c, a
		}
	}
	delete(o.open, victim)
	_ = victim.Close()
}
