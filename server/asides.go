package server

import (
	"context"
	"slices"
)

// Calls of health and reflection need no identity, are answered however busy the server is, and may never end. Each may hold what a stream
// holds unread, see window. So few of them are open: 64 MiB in all.
const (
	maxAsides      = 256
	maxAsidesOfOne = 8 // connection
)

// aside is an open call of another service than the planner.
type aside struct {
	caller *caller
	cancel context.CancelFunc
}

// aside lets in a call of another service than the planner. It is called before the call holds anything. Where there is one too many, it ends
// another one, and refuses none: whoever watches and never leaves must not make load balancers take the server for ill.
func (a *admission) aside(ctx context.Context) (context.Context, error) {
	ctx, cancel := context.WithCancel(ctx)
	one := &aside{callerOf(ctx), cancel}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case one.caller.asides >= maxAsidesOfOne:
		a.endAside(slices.IndexFunc(a.asides, func(other *aside) bool { return other.caller == one.caller }))
	case len(a.asides) >= maxAsides:
		a.endAside(a.missedLeastAside())
	}
	a.asides = append(a.asides, one)
	one.caller.asides++
	context.AfterFunc(ctx, func() { // the end of the stream is its end
		a.mu.Lock()
		defer a.mu.Unlock()
		if i := slices.Index(a.asides, one); i >= 0 {
			a.endAside(i)
		}
	})
	return ctx, nil
}

// missedLeastAside is the oldest one of the connection that has most.
func (a *admission) missedLeastAside() (least int) {
	for i, one := range a.asides {
		if one.caller.asides > a.asides[least].caller.asides {
			least = i
		}
	}
	return least
}

// endAside ends a call, and gives back its place before it is gone.
func (a *admission) endAside(i int) {
	one := a.asides[i]
	a.asides = slices.Delete(a.asides, i, i+1)
	one.caller.asides--
	one.cancel()
}
