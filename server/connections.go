package server

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// maxConnections bounds the connections. An adapter has one, and one more while it changes servers; a silent one takes 20 to 40 KB.
const maxConnections = 2000

// connections is the planner's listener. It knows every connection that is open, and where there is one too many it closes
// the one that is missed least. To stop accepting, as is usual, would be worse: whoever opens connections and says nothing
// would keep everybody else out.
type connections struct {
	net.Listener
	admission *admission
	most      int

	mu   sync.Mutex
	open map[*connection]struct{}
}

func newConnections(l net.Listener, a *admission, most int) *connections {
	return &connections{Listener: l, admission: a, most: most, open: map[*connection]struct{}{}}
}

// connection is one client's, and what it has of the server: see caller.
type connection struct {
	net.Conn
	of       *connections
	caller   caller
	accepted time.Time
	writing  atomic.Int64 // since when something is written that it has not taken; 0: nothing is; see passed
}

// Accept implements net.Listener.
func (l *connections) Accept() (net.Conn, error) {
	raw, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &connection{Conn: raw, of: l, accepted: time.Now()}
	c.caller.from = raw.RemoteAddr().(*net.TCPAddr).AddrPort().Addr()
	l.mu.Lock()
	var victim *connection
	if len(l.open) >= l.most {
		victim = l.missedLeast() // of the others: whoever comes has had no time to call
	}
	l.open[c] = struct{}{}
	l.mu.Unlock()
	if victim != nil {
		l.admission.metrics.closed.WithLabelValues(closedForRoom).Inc()
		_ = victim.Close()
	}
	return c, nil
}

// missedLeast is the connection to close for a new one: of those that have no call, first one that never had any, and the
// one that has been so for longest.
func (l *connections) missedLeast() *connection {
	var least *connection
	var leastUsed bool
	var leastSince time.Time
	for c := range l.open {
		busy, used, since := l.admission.lastCall(&c.caller)
		if !used {
			since = c.accepted
		}
		if busy {
			continue
		}
		if least == nil || leastUsed && !used || leastUsed == used && since.Before(leastSince) {
			least, leastUsed, leastSince = c, used, since
		}
	}
	return least // nil where every connection has a call: then the calls are what is bounded
}

func (l *connections) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.open)
}

// Write implements net.Conn.
func (c *connection) Write(p []byte) (int, error) {
	c.writes()
	defer c.writing.Store(0)
	return c.Conn.Write(p)
}

// writes notes that something is to be taken.
func (c *connection) writes() { c.writing.Store(c.of.admission.passed(c.of.admission.clock())) }

// Close implements net.Conn.
func (c *connection) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	c.of.admission.forgetAnswers(&c.caller)
	return c.Conn.Close()
}

// RemoteAddr implements net.Conn. gRPC hands it to every call as the address of its peer, and so each call finds its connection.
func (c *connection) RemoteAddr() net.Addr { return callerAddr{c.Conn.RemoteAddr(), &c.caller} }

// callerAddr is an address that knows whose it is.
type callerAddr struct {
	net.Addr
	caller *caller
}
