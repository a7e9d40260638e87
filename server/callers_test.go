package server

import (
	"context"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// TestStrangeRequestID: a caller's request id stands in our log, so only a harmless one is kept.
func TestStrangeRequestID(t *testing.T) {
	r := start(t, Config{}, nil)
	planner := r.planner(t)
	for reason, ids := range map[string][]string{
		"none":              nil,
		"empty":             {""},
		"two":               {"first", "second"},
		"long":              {strings.Repeat("x", 65)},
		"a line of its own": {`7" level=ERROR msg="forged`},
		"a field":           {"7 set=other"},
	} {
		ctx := testContext(t)
		for _, id := range ids {
			ctx = metadata.AppendToOutgoingContext(ctx, requestIDHeader, id)
		}
		var header metadata.MD
		if _, err := planner.Plan(ctx, request(), grpc.Header(&header)); err != nil {
			t.Fatal(err)
		}
		got := header.Get(requestIDHeader)
		if len(got) != 1 || !goodRequestID.MatchString(got[0]) {
			t.Errorf("%s: the request is called %q", reason, got)
			continue
		}
		for _, id := range ids {
			if got[0] == id || id != "" && strings.Contains(r.log.String(), id) {
				t.Errorf("%s: %q is taken over, or logged", reason, id)
			}
		}
	}
}

// TestLongNamesInTheLog: a malformed request may bring megabytes where a name belongs.
func TestLongNamesInTheLog(t *testing.T) {
	r := start(t, Config{}, nil)
	long := request()
	set := long.Snapshot.Set
	set.Namespace, set.Name, set.Uid = strings.Repeat("n", 100_000), strings.Repeat("w", 100_000), strings.Repeat("u", 100_000)
	_, _ = r.planner(t).Plan(testContext(t), long) // refused or not, it is logged
	log := r.log.String()
	if !strings.Contains(log, "grpc.method=Plan") || len(log) > 10*maxLoggedName {
		t.Errorf("one call makes %d bytes of log: %.2000s", len(log), log)
	}
}

// TestNobodyWaits: no plan is made for a caller that has gone.
func TestNobodyWaits(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	plan, err := NewService(ServiceOptions{}).Plan(ctx, request())
	if status.Code(err) != codes.Canceled || plan != nil {
		t.Errorf("err = %v, want CANCELLED; the plan is %v", err, plan)
	}
}

// TestProbesWhileDraining: probes are answered to the end, and neither counted nor logged as calls.
func TestProbesWhileDraining(t *testing.T) {
	r := start(t, Config{}, nil)
	health := healthv1.NewHealthClient(r.dial(t))
	if answer, err := health.Check(testContext(t), &healthv1.HealthCheckRequest{}); err != nil || answer.GetStatus() != healthv1.HealthCheckResponse_SERVING {
		t.Fatalf("before: %v, %v", answer, err)
	}
	r.gate.enter() // a call in flight
	r.stop()
	waitFor(t, func() bool { return !r.ready() })
	if answer, err := health.Check(testContext(t), &healthv1.HealthCheckRequest{}); err != nil || answer.GetStatus() != healthv1.HealthCheckResponse_NOT_SERVING {
		t.Errorf("while draining: %v, %v", answer, err)
	}
	r.gate.leave()
	if log := r.log.String(); strings.Contains(log, "grpc.method=Check") {
		t.Errorf("probes drown the log:\n%s", log)
	}
}
