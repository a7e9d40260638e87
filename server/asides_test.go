package server

import (
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
)

// watch watches the server's health, and has its first answer.
func watch(t *testing.T, connection *grpc.ClientConn) healthv1.Health_WatchClient {
	t.Helper()
	stream, err := healthv1.NewHealthClient(connection).Watch(testContext(t), &healthv1.HealthCheckRequest{})
	if err == nil {
		_, err = stream.Recv()
	}
	if err != nil {
		t.Fatal(err)
	}
	return stream
}

// asidesOpen is how many calls of other services are open.
func (a *admission) asidesOpen() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.asides)
}

// TestWatchFlood: who watches the server's health needs no identity and never ends, so few may. A load balancer that looks later is not
// refused, for it would take the server for ill, and one that has watched from the beginning goes on.
func TestWatchFlood(t *testing.T) {
	r := start(t, Config{}, nil)
	modest := watch(t, r.dial(t))
	for range maxAsides/maxAsidesOfOne + 8 {
		connection := r.dial(t)
		for range maxAsidesOfOne + 2 {
			watch(t, connection)
			if open := r.admission.asidesOpen(); open > maxAsides {
				t.Fatalf("%d calls are open", open)
			}
		}
	}
	if _, err := healthv1.NewHealthClient(r.dial(t)).Check(testContext(t), &healthv1.HealthCheckRequest{}); err != nil {
		t.Errorf("beside the watches: %v", err)
	}
	goesOn(t, r.planner(t))
	r.stop()
	if answer, err := modest.Recv(); err != nil || answer.GetStatus() != healthv1.HealthCheckResponse_NOT_SERVING {
		t.Errorf("who watched before the flood hears %v, %v when the server stops", answer, err)
	}
}

// TestWatchesOfOneConnection: the first one ends for the one that is too many.
func TestWatchesOfOneConnection(t *testing.T) {
	r := start(t, Config{}, nil)
	connection := r.dial(t)
	first := watch(t, connection)
	for range maxAsidesOfOne {
		watch(t, connection)
	}
	if _, err := first.Recv(); status.Code(err) != codes.Canceled {
		t.Errorf("the first one: %v", err)
	}
	if open := r.admission.asidesOpen(); open != maxAsidesOfOne {
		t.Errorf("%d calls are open", open)
	}
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
	watch(t, connection)
	_ = connection.Close()
	waitFor(t, func() bool { return r.admission.asidesOpen() == 0 })
}
