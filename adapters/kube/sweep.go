package kube

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/setplan/setplan/adapters"
)

// A look at every set twice a day, as the built-in controller takes one at its informers' resync, whether anything has changed
// or not: a wake-up that was missed is final otherwise. The looks of a round are spread, so that a round is no load.
const (
	sweepEvery  = 12 * time.Hour
	sweepSpread = time.Hour
)

// sweep puts every set into the queue once in a while until the context ends.
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
