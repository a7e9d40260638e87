package setplan

import (
	"time"

	"google.golang.org/grpc/resolver"
)

// lookEvery is the time between two times that the planner's name is looked up.
const lookEvery = 30 * time.Second

// names looks names up again and again. gRPC's resolver does so only when a connection is lost: the server that takes the place of
// the one that was lost is rarely there by then, and would have no caller until a server ends another connection.
type names struct {
	resolver.Builder
	every time.Duration
}

// Build implements resolver.Builder.
func (n names) Build(target resolver.Target, connection resolver.ClientConn, options resolver.BuildOptions) (resolver.Resolver, error) {
	inner, err := n.Builder.Build(target, connection, options)
	if err != nil {
		return nil, err
	}
	r := &lookingAgain{inner, make(chan struct{})}
	go r.look(n.every)
	return r, nil
}

// lookingAgain is one name that is looked up until it is closed.
type lookingAgain struct {
	resolver.Resolver
	closed chan struct{}
}

func (r *lookingAgain) look(every time.Duration) {
	again := time.NewTicker(every)
	defer again.Stop()
	for {
		select {
		case <-r.closed:
			return
		case <-again.C:
			r.ResolveNow(resolver.ResolveNowOptions{})
		}
	}
}

// Close implements resolver.Resolver.
func (r *lookingAgain) Close() {
	close(r.closed)
	r.Resolver.Close()
}
