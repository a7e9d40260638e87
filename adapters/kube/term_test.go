package kube

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestTerm: a term can be renewed until it has ended, and ends a tenth of the lease before others can take it.
func TestTerm(t *testing.T) {
	const lease = 2 * time.Second
	begun := time.Now()
	term := newTerm(context.Background(), lease, begun)
	term.renew(begun.Add(lease / 2))
	select {
	case <-term.Done():
	case <-time.After(10 * lease):
		t.Fatal("it does not end")
	}
	if lasted := time.Since(begun); lasted < lease*13/10 {
		t.Errorf("it was renewed, and ended after %v", lasted)
	}
	term.renew(time.Now())
	if term.Err() == nil {
		t.Error("it lives again")
	}
	if newTerm(context.Background(), lease, time.Now().Add(-lease*95/100)).Err() == nil {
		t.Error("it lasts until others may begin")
	}
}

// TestTermTransport: a request that waits for its turn until the term has ended is not sent.
func TestTermTransport(t *testing.T) {
	sent := 0
	transport := termTransport{roundTripper(func(*http.Request) (*http.Response, error) { sent++; return nil, nil })}
	term := newTerm(context.Background(), time.Hour, time.Now())
	request, err := http.NewRequestWithContext(adapters.WithTerm(context.Background(), term), http.MethodPost, "http://127.0.0.1", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{1, 1} {
		_, err := transport.RoundTrip(request) //nolint:bodyclose // there is none
		if sent != want {
			t.Errorf("%d requests were sent, want %d", sent, want)
		}
		if (err != nil) != (term.Err() != nil) {
			t.Errorf("got %v", err)
		}
		term.end()
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestControllerRunsAgain: work left over from one term is done in the next.
func TestControllerRunsAgain(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	planner := plannerFunc(func() (*setplanv1.Plan, error) {
		calls++
		cancel()
		return nil, errors.New("away")
	})
	registry := prometheus.NewRegistry()
	metrics, pace := NewMetrics(registry), NewPace()
	source := NewSource(StatefulSets(), filledCaches(t, webSet(t, "set")), nil, time.Now)
	loop := adapters.NewLoop(source, nil, planner, adapters.Observers{metrics, pace}, adapters.Options{})
	controller := NewController(loop, pace, NewRetries(time.Now), NewWaits(registry, time.Now), metrics, registry, quiet)
	controller.Changed(webKey, Change{})
	for term := 1; term <= 3; term++ {
		controller.Run(ctx, 2)
		if calls != term {
			t.Fatalf("after %d terms there were %d passes", term, calls)
		}
		ctx, cancel = context.WithTimeout(context.Background(), time.Minute)
	}
	cancel()
}
