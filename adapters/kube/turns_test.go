package kube

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/setplan/setplan/adapters"
)

// TestTurnsAreFair: a set that comes after five hundred writes of another gets the next turn.
func TestTurnsAreFair(t *testing.T) {
	turns := NewTurns(200, 1)
	wide, healthy := adapters.Key{Namespace: "a", Name: "wide"}, adapters.Key{Namespace: "b", Name: "web"}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var mu sync.Mutex
	through := 0
	var waiting sync.WaitGroup
	for range 500 {
		waiting.Go(func() {
			if turns.Wait(ctx, wide) == nil {
				mu.Lock()
				defer mu.Unlock()
				through++
			}
		})
	}
	for turns.waits() < 400 {
		time.Sleep(time.Millisecond)
	}
	before := 500 - turns.waits()
	if err := turns.Wait(ctx, healthy); err != nil {
		t.Fatal(err)
	}
	if since := 500 - turns.waits() - before; since > 50 {
		t.Errorf("%d writes of the other set came before this set's", since)
	}
	cancel()
	waiting.Wait()
	mu.Lock()
	defer mu.Unlock()
	if through == 500 {
		t.Error("no write had to wait, so the test shows nothing")
	}
}

// waits is how many writes wait.
func (t *Turns) waits() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.waiting.size
}

// TestTurnsEnd: a waiting write leaves when its context ends, and its turn goes to the next.
func TestTurnsEnd(t *testing.T) {
	turns := NewTurns(20, 1)
	if err := turns.Wait(t.Context(), webKey); err != nil {
		t.Fatal(err) // the bucket is empty now
	}
	gone, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() { left <- turns.Wait(gone, webKey) }()
	for turns.waits() == 0 {
		time.Sleep(time.Millisecond)
	}
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := turns.Wait(t.Context(), webKey); err != nil {
		t.Error(err)
	}
	if err := turns.Wait(gone, webKey); !errors.Is(err, context.Canceled) {
		t.Errorf("a write whose context had ended: %v", err)
	}
	for _, limit := range []float32{0, -1} {
		free := NewTurns(limit, 0)
		for range 1000 {
			if err := free.Wait(t.Context(), webKey); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestLightNamespaces: beside a namespace that writes continually, one that writes little does not wait. Both together keep
// within the limit.
func TestLightNamespaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := NewTurns(50, 100)
		ctx, cancel := context.WithCancel(t.Context())
		var through atomic.Int64
		var writing sync.WaitGroup
		for i := range 20 {
			writing.Go(func() {
				for turns.Wait(ctx, adapters.Key{Namespace: "busy", Name: fmt.Sprint(i)}) == nil {
					through.Add(1)
				}
			})
		}
		began := time.Now()
		time.Sleep(10 * time.Second)
		healthy := adapters.Key{Namespace: "good", Name: "db"}
		for i := range 15 {
			before := time.Now()
			if err := turns.Wait(ctx, healthy); err != nil || time.Since(before) > 0 {
				t.Fatalf("write %d waits %s: %v", i, time.Since(before), err)
			}
			through.Add(1)
		}
		for range 100 { // now it writes more than a little, and takes turns
			before := time.Now()
			if err := turns.Wait(ctx, healthy); err != nil || time.Since(before) > 60*time.Millisecond {
				t.Fatalf("it waits %s for its turn: %v", time.Since(before), err)
			}
			through.Add(1)
		}
		took := time.Since(began)
		cancel()
		writing.Wait()
		if most := int64(100+50*took.Seconds()) + 2; through.Load() > most || through.Load() < most-25 {
			t.Errorf("%d writes in %s, want about %d", through.Load(), took, most)
		}
		time.Sleep(time.Minute)
		if !turns.writesLittle("third") || len(turns.light) != 1 {
			t.Errorf("%d namespaces are remembered after a minute", len(turns.light))
		}
	})
}
