package server

import (
	"context"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Calls of health and reflection need no identity, are answered however busy the server is, and may never end. Each may hold what a stream
// holds unread, see window. So few of them are open: 64 MiB in all.
const (
	maxAsides      = 256
	maxAsidesOfOne = 8 // connection
)

// aside lets in a call of another service than the planner. It is called before the call holds anything.
func (a *admission) aside(ctx context.Context) error {
	c := callerOf(ctx)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.asides >= maxAsides || c.asides >= maxAsidesOfOne {
		return status.Error(codes.ResourceExhausted, "too many calls of health and reflection are open")
	}
	a.asides++
	c.asides++
	context.AfterFunc(ctx, func() { // the end of the stream is its end
		a.mu.Lock()
		defer a.mu.Unlock()
		a.asides--
		c.asides--
	})
	return nil
}
