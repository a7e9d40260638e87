package server

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/setplan/setplan/server/access"
)

// admitted are the open connections with a client certificate. A handshake checks a certificate once, and a connection
// lives for half an hour. So it is checked again here: a connection ends when its authority is removed or its certificate expires.
type admitted struct {
	log    *slog.Logger
	budget *lineBudget
	policy *access.File        // nil: none
	busy   func(net.Addr) bool // reports whether the connection from there has a call

	mu          sync.Mutex
	connections map[*admittedConn]struct{}
}

// admittedConn is one connection. It is checked again when the authorities change, and when its certificate expires.
type admittedConn struct {
	net.Conn              // encrypted
	raw          net.Conn // closed at once: TLS's farewell may wait for a peer that does not read
	certificates []*x509.Certificate
	leave        func(*admittedConn)

	// Touched by sweep only.
	by    *x509.CertPool // who vouched for it; nil: the handshake, with authorities that may have changed since it began
	until time.Time
	under *access.Policy // its identities were in a cluster of this policy
}

func newAdmitted(log *slog.Logger) *admitted {
	return &admitted{log: log, budget: strangerBudget(log, "connection ended"), connections: map[*admittedConn]struct{}{},
		busy: func(net.Addr) bool { return false }}
}

// add remembers a connection until it is closed. Without a client certificate there is nothing to check.
func (a *admitted) add(raw, encrypted net.Conn, state tls.ConnectionState) net.Conn {
	if len(state.PeerCertificates) == 0 {
		return encrypted
	}
	c := &admittedConn{Conn: encrypted, raw: raw, certificates: state.PeerCertificates, leave: a.remove}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.connections[c] = struct{}{}
	return c
}

func (a *admitted) remove(c *admittedConn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.connections, c)
}

// Close is called by gRPC, however the connection ends.
func (c *admittedConn) Close() error {
	c.leave(c)
	return c.Conn.Close()
}

// sweep closes connections that would not be let in any more, and cuts their calls: whoever removes an authority wants its
// callers out now, and a caller with a good certificate asks again and gets the same answer.
func (a *admitted) sweep(authorities *x509.CertPool, now time.Time) {
	a.mu.Lock()
	all := make([]*admittedConn, 0, len(a.connections))
	for c := range a.connections {
		all = append(all, c)
	}
	a.mu.Unlock()
	for _, c := range all {
		err := c.check(authorities, now)
		if err == nil && a.policy != nil {
			err = c.checkPolicy(a.policy.Policy())
		}
		if err == nil && c.endsSoon(now) && !a.busy(c.raw.RemoteAddr()) {
			err = errEndsSoon
		}
		if err == nil {
			continue
		}
		if a.budget.spend() {
			a.log.Warn("connection ended", "peer.address", c.raw.RemoteAddr().String(), "caller", nameOf(c.certificates[0]),
				"reason", harmless(err.Error()))
		}
		_ = c.raw.Close() // gRPC notices, and closes the rest
		a.remove(c)
	}
}

// farewell is how long before its certificate expires a connection ends between two calls. After that it ends in the middle of one.
const farewell = time.Minute

var errEndsSoon = errors.New("its certificate expires soon")

// endsSoon leaves a certificate of minutes nine tenths of its life.
func (c *admittedConn) endsSoon(now time.Time) bool {
	life := c.until.Sub(c.certificates[0].NotBefore)
	return now.After(c.until.Add(-min(farewell, life/10)))
}

// checkPolicy finds a caller who was removed from the policy, or whose cluster has another name now. A caller who was never in it stays:
// its calls are refused one by one, and tell it why.
func (c *admittedConn) checkPolicy(policy *access.Policy) error {
	if c.under == policy {
		return nil
	}
	identities := access.Identities(c.certificates[0])
	cluster := policy.Of(identities)
	if before := c.under; before != nil {
		if was := before.Of(identities); was != nil && (cluster == nil || cluster.Name != was.Name) {
			return fmt.Errorf("its identities are no longer those of cluster %q", was.Name)
		}
	}
	c.under = policy
	return nil
}

// check does what the handshake does. It costs nothing while nothing has changed.
func (c *admittedConn) check(authorities *x509.CertPool, now time.Time) error {
	if c.by == authorities && now.Before(c.until) {
		return nil
	}
	options := x509.VerifyOptions{
		Roots:         authorities,
		Intermediates: x509.NewCertPool(),
		CurrentTime:   now,
		KeyUsages:     []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	for _, certificate := range c.certificates[1:] {
		options.Intermediates.AddCert(certificate)
	}
	chains, err := c.certificates[0].Verify(options)
	if err != nil {
		return err
	}
	c.by, c.until = authorities, time.Time{}
	for _, chain := range chains {
		ends := slices.MinFunc(chain, func(x, y *x509.Certificate) int { return x.NotAfter.Compare(y.NotAfter) }).NotAfter
		if ends.After(c.until) {
			c.until = ends
		}
	}
	return nil
}
