// Package openconns bounds the connections of an HTTP server that anybody may reach.
package openconns

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// connections are those that are open. Beyond the bound an old one is closed instead of the new one: otherwise whoever keeps connections open
// would keep honest callers out.
type connections struct {
	most int
	mu   sync.Mutex
	open map[net.Conn]activity
}

// activity says what a connection is doing, and since when.
type activity struct {
	busy  bool
	since time.Time
}

// AtMost is a hook for http.Server.ConnState that keeps at most so many connections open.
func AtMost(most int) func(net.Conn, http.ConnState) {
	return (&connections{most: most, open: map[net.Conn]activity{}}).changed
}

func (o *connections) changed(c net.Conn, state http.ConnState) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch state {
	case http.StateClosed, http.StateHijacked:
		delete(o.open, c)
		return
	case http.StateNew:
		if len(o.open) >= o.most {
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
func (o *connections) closeOne() {
	var victim net.Conn
	var worst activity
	for c, a := range o.open {
		quieter := worst.busy && !a.busy
		if victim == nil || quieter || worst.busy == a.busy && a.since.Before(worst.since) {
			victim, worst = c, a
		}
	}
	delete(o.open, victim)
	if secured, ok := victim.(interface{ NetConn() net.Conn }); ok {
		victim = secured.NetConn() // TLS would say goodbye, and wait until that is read
	}
	_ = victim.Close()
}
