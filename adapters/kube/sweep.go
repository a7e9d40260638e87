package kube

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/setplan/setplan/adapters"
)

// Every set gets a pass every 12 to 24 hours, as from the resync of the built-in controller's informers. Otherwise a missed wake-up would
// be final. The passes of a round are spread over an hour, so that they are no load.
const (
	sweepEvery  = 12 * time.Hour
	sweepSpread = time.Hour
)

// sweep puts every set into the queue now and then until the context ends.
func sweep(ctx context.Context, every, spread time.Duration, sets func() []adapters.Key, queueAfter func(adapters.Key, time.Duration)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(every + rand.N(every)):
		}
		for _, key := range sets() {
			queueAfter(key, rand.N(spread))
		}
	}
}
