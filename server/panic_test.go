package server

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
)

// broken panics on demand, with a value that quotes the template.
func broken(panics *bool) func(*model.Snapshot, func() bool) *model.Plan {
	return func(s *model.Snapshot, stop func() bool) *model.Plan {
		if *panics {
			panic("cannot handle " + string(s.Set.PodTemplate))
		}
		return engine.DecideUntil(s, stop)
	}
}

func checkPanic(t *testing.T, err error, log string) {
	t.Helper()
	id := want(t, err, codes.Internal, "INTERNAL")["request_id"]
	if id == "" || !strings.Contains(log, "request_id="+id) {
		t.Errorf("the log does not have the request id %q", id)
	}
	if !strings.Contains(err.Error(), id) {
		t.Errorf("the error %q does not say where in the log to look", err)
	}
	if !strings.Contains(log, "panic_test.go") {
		t.Error("the log has no stack")
	}
	if strings.Contains(log, secret) {
		t.Error("the log quotes the template")
	}
	for _, leak := range []string{secret, ".go", "goroutine", "cannot handle"} {
		if strings.Contains(err.Error(), leak) {
			t.Errorf("the caller sees %q in %q", leak, err)
		}
	}
}

func TestPanicIsInternalAndTheServerGoesOn(t *testing.T) {
	panics := true
	r := start(t, Config{}, func(s *Server) { s.service.decide = broken(&panics) })
	planner := r.planner(t)
	_, err := planner.Plan(testContext(t), request())
	checkPanic(t, err, r.log.String())
	panics = false
	goesOn(t, planner)
}

func TestPanicInAnEmbeddedPlanner(t *testing.T) {
	var log bytes.Buffer
	s := NewService(ServiceOptions{Log: slog.New(slog.NewTextHandler(&log, nil))})
	panics := true
	s.decide = broken(&panics)
	_, err := s.Plan(context.Background(), request())
	checkPanic(t, err, log.String())
	panics = false
	if _, err := s.Plan(context.Background(), request()); err != nil {
		t.Errorf("after the panic: %v", err)
	}
}
