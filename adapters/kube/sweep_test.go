package kube

import (
	"context"
	"testing"
	"time"

	"github.com/setplan/setplan/adapters"
)

// TestSweep: every set is looked at, round after round, even if nothing has happened to it.
func TestSweep(t *testing.T) {
	caches := filledCaches(t, webSet(t, "set"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	rounds := 0
	sweep(ctx, time.Millisecond, time.Second, caches.keys, func(key adapters.Key, after time.Duration) {
		if key != webKey || after < 0 || after >= time.Second {
			t.Errorf("%s after %s", key, after)
		}
		if rounds++; rounds == 3 {
			cancel()
		}
	})
	if rounds != 3 {
		t.Errorf("%d rounds", rounds)
	}
}
