package setplan

import (
	"time"

	"google.golang.org/grpc/resolver"
)

// lookEvery is how often the planner's name is looked up.
const lookEvery = 30 * time.Second

// names looks up names again and again. gRPC's resolver does so only when a connection is lost. By then the replacement of the lost
// server is rarely there, and it would get no calls until another connection ends.
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

// lookingAgain looks up one name until it is closed.
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
