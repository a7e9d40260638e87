package server

import (
	"context"
	"sync"

	"google.golang.org/grpc"
)

// gate counts the calls in flight and, once closed, refuses new ones. gRPC's graceful stop cannot replace it: it closes the
// sockets, so that a caller sees a broken connection instead of RetryInfo, and it waits for health watches, which never end.
type gate struct {
	mu       sync.Mutex
	inFlight int
	closed   bool
	idle     chan struct{} // closed when the gate is closed and nothing is in flight
}

func newGate() *gate { return &gate{idle: make(chan struct{})} }

// intercept lets a call through, or refuses it with DRAINING.
func (g *gate) intercept(ctx context.Context, request any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	if !g.enter() {
		return nil, draining()
	}
	defer g.leave()
	return next(ctx, request)
}

func (g *gate) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.inFlight++
	return true
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inFlight--
	g.announceIdle()
}

// close refuses every later call. The channel that it returns is closed when the last call in flight has ended. Call it once.
func (g *gate) close() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	g.announceIdle()
	return g.idle
}

func (g *gate) announceIdle() {
	if g.closed && g.inFlight == 0 {
		close(g.idle)
	}
}

// state is for the log.
func (g *gate) state() (inFlight int, closed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.inFlight, g.closed
}
