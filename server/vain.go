package server

import (
	"context"
	"errors"
	"maps"
	"net"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc/credentials"
)

// A call that comes to nothing costs what gRPC takes to read its headers, before anybody can refuse it: one of an unknown method, of health, of
// reflection or of GetServerInfo, and one that is refused, shed or taken back before its work begins. gRPC refuses some by itself, such as one whose
// headers are too long, and tells nobody. So calls are counted where they arrive: each frame that begins one counts, until its work begins. No caller
// needs many that come to nothing, and a connection that makes more is closed. With certificates all connections with the same names count together,
// and no new one is let in meanwhile.
const (
	// vainAtOnce is how many a caller may make at once, and vainPerSecond for long.
	vainAtOnce    = 100
	vainPerSecond = 20
)

var errVain = errors.New("too many of its calls come to nothing")

// vain is what a caller has made of them. It has a lock of its own: the admission's is for calls that may be worked on.
type vain struct {
	mu    sync.Mutex
	calls float64
	at    time.Time // when that was right
}

// count adds calls, and reports whether there are too many now. Fewer than none were counted and have begun.
func (v *vain) count(now time.Time, calls float64) (tooMany bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.at.IsZero() {
		v.calls -= now.Sub(v.at).Seconds() * vainPerSecond
	}
	v.calls, v.at = max(0, v.calls)+calls, now
	v.calls = max(0, v.calls)
	return v.calls > vainAtOnce
}

// worked is for a call whose work begins, and for one that a limit of its cluster refuses: there are as many of those as the cluster has sets.
func (a *admission) worked(ctx context.Context) {
	if v := callerOf(ctx).vain; v != nil {
		v.count(a.clock(), -1)
	}
}

// vains are those of identities, and of connections without one.
type vains struct {
	clock func() time.Time
	end   func() // is told of each connection that is closed

	mu sync.Mutex
	of map[string]*vain
}

func newVains(a *admission) *vains {
	return &vains{clock: a.clock, end: func() { a.metrics.closed.WithLabelValues(closedForCalls).Inc() }, of: map[string]*vain{}}
}

// mostIdentities is when those are forgotten who make no such calls any more.
const mostIdentities = 1000

// count lets a connection in, whose calls are counted from now on.
func (l *vains) count(c net.Conn, raw net.Conn) (net.Conn, error) {
	who := raw.RemoteAddr().(callerAddr).caller
	who.vain = &vain{}
	if len(who.identities) > 0 {
		who.vain = l.identity(strings.Join(who.identities, "\n"))
		if who.vain.count(l.clock(), 0) {
			l.end()
			return nil, errVain
		}
	}
	return &countedConn{Conn: c, of: l, vain: who.vain, frames: frames{skip: preface}}, nil
}

func (l *vains) identity(name string) *vain {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := l.of[name]
	if v == nil {
		if len(l.of) >= mostIdentities {
			now := l.clock()
			maps.DeleteFunc(l.of, func(_ string, v *vain) bool { v.count(now, 0); return v.calls == 0 })
		}
		v = &vain{}
		l.of[name] = v
	}
	return v
}

// countedConn is a connection whose calls are counted.
type countedConn struct {
	net.Conn
	of     *vains
	vain   *vain
	frames frames
}

// Read implements net.Conn. An error of it closes the connection.
func (c *countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if calls := c.frames.calls(p[:n]); calls > 0 && c.vain.count(c.of.clock(), float64(calls)) {
		c.of.end()
		return 0, errVain
	}
	return n, err
}

// preface is how many bytes a client of HTTP/2 sends before its first frame, and headersFrame the type of the frame that begins a call.
const (
	preface      = 24
	headersFrame = 1
)

// frames finds the frames in what is read of a connection: RFC 9113, section 4.1.
type frames struct {
	head [9]byte // of the next one, as far as it has been read
	have int
	skip int // bytes until it begins
}

// calls counts the frames that begin a call.
func (f *frames) calls(p []byte) (n int) {
	for len(p) > 0 {
		if f.skip > 0 {
			skipped := min(f.skip, len(p))
			p, f.skip = p[skipped:], f.skip-skipped
			continue
		}
		read := copy(f.head[f.have:], p)
		p, f.have = p[read:], f.have+read
		if f.have == len(f.head) {
			f.have, f.skip = 0, int(f.head[0])<<16|int(f.head[1])<<8|int(f.head[2])
			if f.head[3] == headersFrame {
				n++
			}
		}
	}
	return n
}

// countedPlaintext counts the calls of connections without TLS.
type countedPlaintext struct {
	credentials.TransportCredentials
	vains *vains
}

// ServerHandshake is called once for each connection.
func (p countedPlaintext) ServerHandshake(raw net.Conn) (net.Conn, credentials.AuthInfo, error) {
	c, info, err := p.TransportCredentials.ServerHandshake(raw)
	if err == nil {
		c, err = p.vains.count(c, raw)
	}
	return c, info, err
}

// Clone is for clients.
func (p countedPlaintext) Clone() credentials.TransportCredentials {
	return countedPlaintext{p.TransportCredentials.Clone(), p.vains}
}
