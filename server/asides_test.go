package server

import (
	"testing"

	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
)

// TestWatchFlood: who watches the server's health needs no identity and never ends, so few may: on a connection, and in all.
func TestWatchFlood(t *testing.T) {
	r := start(t, Config{}, nil)
	planner := r.planner(t)
	open := 0
	var last healthv1.HealthClient
	for range 2 * maxAsides / maxAsidesOfOne {
		last = healthv1.NewHealthClient(r.dial(t))
		of := 0
		for range maxAsidesOfOne + 2 {
			watch, err := last.Watch(testContext(t), &healthv1.HealthCheckRequest{})
			if err == nil {
				_, err = watch.Recv()
			}
			if err == nil {
				of++
			} else if status.Code(err) != codes.ResourceExhausted {
				t.Fatal(err)
			}
		}
		if of > maxAsidesOfOne {
			t.Fatalf("%d streams of one connection are open", of)
		}
		open += of
	}
	if open != maxAsides {
		t.Errorf("%d streams are open", open)
	}
	goesOn(t, planner)
}

// TestAsidesEnd: what has ended makes room, however it ends.
func TestAsidesEnd(t *testing.T) {
	r := start(t, Config{}, nil)
	health := healthv1.NewHealthClient(r.dial(t))
	for range 10 * maxAsidesOfOne {
		if _, err := health.Check(testContext(t), &healthv1.HealthCheckRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	connection := r.dial(t)
	if watch, err := healthv1.NewHealthClient(connection).Watch(testContext(t), &healthv1.HealthCheckRequest{}); err != nil {
		t.Fatal(err)
	} else if _, err := watch.Recv(); err != nil {
		t.Fatal(err)
	}
	_ = connection.Close()
	waitFor(t, func() bool {
		r.admission.mu.Lock()
		defer r.admission.mu.Unlock()
		return r.admission.asides == 0
	})
}
