package server

import (
	"maps"
	"net"
	"net/netip"
	"time"
)

// caller is one connection. The admission locks its fields.
type caller struct {
	identities []string   // in its certificate; set by the handshake
	from       netip.Addr // where it calls from

	own     account
	shared  *account  // with the other connections of its cluster; nil: own
	cluster string    // the name of that
	open    int       // calls
	asides  int       // calls of other services; see aside
	held    int64     // bytes
	calls   bool      // it has called
	ended   time.Time // its last call
	answers map[*answer]struct{}
	closed  bool  // nobody ends the account of an answer any more
	vain    *vain // set by the handshake; nil in tests
}

// account is what a caller has of the server: it is what callers compete with. Without a policy file, each connection has one; with a
// policy file, each cluster has one, however many connections it opens.
type account struct {
	open    int   // calls
	held    int64 // bytes
	reading int64 // bytes of its messages
	used    time.Duration
	usedAt  time.Time // when used was right
	granted uint64    // when something was last given to it, in the admission's sequence

	connections int // of a cluster
}

func (c *caller) account() *account {
	if c.shared != nil {
		return c.shared
	}
	return &c.own
}

// join makes a connection one of a cluster, and reports whether it is. With tokens its calls may be of several clusters, one after the
// other: it changes over while it has no call.
func (a *admission) join(c *caller, cluster string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c.closed || c.cluster == cluster {
		return true
	}
	if c.open > 0 || c.held > 0 {
		return false
	}
	a.quit(c)
	shared := a.clusters[cluster]
	if shared == nil {
		a.forgetClusters()
		shared = &account{}
		a.clusters[cluster] = shared
	}
	shared.connections++
	c.shared, c.cluster = shared, cluster
	return true
}

// quit ends what join began, when the connection is closed. The account stays: a new connection is no new caller.
func (a *admission) quit(c *caller) {
	if c.shared != nil {
		c.shared.connections--
	}
}

// forgetClusters forgets those that have no connection, and have nothing of the server and have had nothing of it for long. So there are
// hardly more accounts than clusters in the policy file.
func (a *admission) forgetClusters() {
	now := a.clock()
	maps.DeleteFunc(a.clusters, func(_ string, of *account) bool {
		return of.connections == 0 && of.open == 0 && of.held == 0 && of.reading == 0 && now.Sub(of.usedAt) > company
	})
}

// busy reports whether the connection from an address has a call, or an answer to send.
func (a *admission) busy(from net.Addr) bool {
	of, ok := from.(callerAddr)
	if !ok {
		return false
	}
	busy, _, _ := a.lastCall(of.caller)
	return busy
}
