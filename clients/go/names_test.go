package setplan

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/resolver"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// book replaces DNS and counts the lookups.
type book struct{ built, looks, closed atomic.Int32 }

func (b *book) Scheme() string { return "dns" }

func (b *book) Build(resolver.Target, resolver.ClientConn, resolver.BuildOptions) (resolver.Resolver, error) {
	b.built.Add(1)
	return b, nil
}

func (b *book) ResolveNow(resolver.ResolveNowOptions) { b.looks.Add(1) }

func (b *book) Close() { b.closed.Add(1) }

// TestNames: the planner's name is looked up again although no connection ends, until the client is closed.
func TestNames(t *testing.T) {
	b := &book{}
	client, err := Dial("planner.example:7450", WithInsecure(), func(s *settings) error {
		s.names = names{b, time.Millisecond}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { _, _ = client.Plan(ctx, &setplanv1.PlanRequest{}) }() // a client connects at its first call
	for began := time.Now(); b.looks.Load() < 3; time.Sleep(time.Millisecond) {
		if time.Since(began) > 30*time.Second {
			t.Fatalf("built %d times, looked up %d times", b.built.Load(), b.looks.Load())
		}
	}
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	if b.built.Load() != 1 || b.closed.Load() != 1 {
		t.Errorf("built %d times, closed %d times", b.built.Load(), b.closed.Load())
	}
	time.Sleep(20 * time.Millisecond) // a lookup in progress
	after := b.looks.Load()
	if time.Sleep(50 * time.Millisecond); b.looks.Load() != after {
		t.Error("a closed client looks names up")
	}
}

// TestNamesOfDNS: by default DNS is asked again.
func TestNamesOfDNS(t *testing.T) {
	if n := defaults().names; n.Builder == nil || n.Scheme() != "dns" || n.every != lookEvery {
		t.Errorf("%+v", n)
	}
}
