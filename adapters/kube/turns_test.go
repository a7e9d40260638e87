package kube

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/setplan/setplan/adapters"
)

// TestTurnsAreFair: a set that comes after five hundred writes of another is let through next.
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
		t.Errorf("%d writes of the other set went before the one of this", since)
	}
	cancel()
	waiting.Wait()
	mu.Lock()
	defer mu.Unlock()
	if through == 500 {
		t.Error("nobody had to wait, so this shows nothing")
	}
}

// waits is how many writes wait.
func (t *Turns) waits() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.waiting.size
}

// TestTurnsEnd: who waits leaves with the context, and the turn goes to the next.
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
		t.Errorf("one that was told to stop before: %v", err)
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
