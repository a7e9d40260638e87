package server

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// blocking is an engine that says when it was asked and answers when it is told to.
type blocking struct {
	asked, answer chan struct{}
}

func newBlocking() *blocking { return &blocking{make(chan struct{}), make(chan struct{})} }

func (b *blocking) install(s *Server) {
	s.service.decide = func(*model.Snapshot, func() bool) *model.Plan {
		b.asked <- struct{}{}
		<-b.answer
		return &model.Plan{Converged: true}
	}
}

func TestDrain(t *testing.T) {
	b := newBlocking()
	r := start(t, Config{}, b.install)
	connection := r.dial(t)
	planner := setplanv1.NewPlannerServiceClient(connection)
	watch, err := healthv1.NewHealthClient(connection).Watch(testContext(t), &healthv1.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if first, err := watch.Recv(); err != nil || first.Status != healthv1.HealthCheckResponse_SERVING {
		t.Fatalf("health before: %v, %v", first, err)
	}
	inFlight := make(chan error, 1)
	go func() {
		_, err := planner.Plan(testContext(t), request())
		inFlight <- err
	}()
	<-b.asked

	r.stop()
	if next, err := watch.Recv(); err != nil || next.Status != healthv1.HealthCheckResponse_NOT_SERVING {
		t.Fatalf("health while draining: %v, %v", next, err)
	}
	// The gate closes right after health has changed; a call that slips in before would block.
	waitFor(t, func() bool { return !r.ready() })
	_, err = planner.Plan(testContext(t), request())
	want(t, err, codes.Unavailable, "DRAINING")
	if delay := detail[*errdetails.RetryInfo](err).GetRetryDelay().AsDuration(); delay != time.Second {
		t.Errorf("retry delay %v, want 1 s", delay)
	}

	close(b.answer)
	if err := <-inFlight; err != nil {
		t.Errorf("the call in flight: %v, want a plan", err)
	}
	select {
	case err := <-r.done:
		r.done <- err
	case <-time.After(patience):
		t.Fatal("the server waits for the health watch, which never ends")
	}
}

func TestDrainTimeout(t *testing.T) {
	b := newBlocking()
	r := start(t, Config{DrainTimeout: 50 * time.Millisecond}, b.install)
	defer close(b.answer)
	planner := r.planner(t)
	inFlight := make(chan error, 1)
	go func() {
		_, err := planner.Plan(testContext(t), request())
		inFlight <- err
	}()
	<-b.asked
	r.stop()
	if err := <-inFlight; status.Code(err) != codes.Unavailable {
		t.Errorf("the call that took too long: %v, want UNAVAILABLE", err)
	}
	waitFor(t, func() bool { return strings.Contains(r.log.String(), "calls were cut") })
}

func waitFor(t *testing.T, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !condition(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain")
		}
	}
}
