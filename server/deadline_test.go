package server

import (
	"context"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
)

// endless is an engine that works until its meter ends it.
func endless(began, ended chan<- struct{}) func(*model.Snapshot, func() bool) *model.Plan {
	return func(s *model.Snapshot, stop func() bool) *model.Plan {
		close(began)
		defer close(ended)
		for {
			if engine.DecideUntil(s, stop) == nil {
				return nil
			}
		}
	}
}

func TestDeadlineEndsTheDecision(t *testing.T) {
	began, ended := make(chan struct{}), make(chan struct{})
	r := start(t, Config{}, func(s *Server) { s.service.decide = endless(began, ended) })
	ctx, cancel := context.WithTimeout(testContext(t), 200*time.Millisecond)
	defer cancel()
	_, err := r.planner(t).Plan(ctx, request())
	if status.Code(err) != codes.DeadlineExceeded {
		t.Errorf("got %v", err)
	}
	waitUntil(t, "the decision to end", ended)
}

func TestCancelEndsTheDecision(t *testing.T) {
	for name, call := range map[string]func(context.Context, *testing.T, func(*Service)) error{
		"remote": func(ctx context.Context, t *testing.T, install func(*Service)) error {
			r := start(t, Config{}, func(s *Server) { install(s.service) })
			_, err := r.planner(t).Plan(ctx, request())
			return err
		},
		"embedded": func(ctx context.Context, t *testing.T, install func(*Service)) error {
			s := NewService(ServiceOptions{})
			install(s)
			_, err := s.Plan(ctx, request())
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			began, ended := make(chan struct{}), make(chan struct{})
			ctx, cancel := context.WithCancel(testContext(t))
			defer cancel()
			go func() {
				<-began
				cancel()
			}()
			err := call(ctx, t, func(s *Service) { s.decide = endless(began, ended) })
			if status.Code(err) != codes.Canceled {
				t.Errorf("got %v", err)
			}
			waitUntil(t, "the decision to end", ended)
		})
	}
}

func waitUntil(t *testing.T, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatalf("waited 20 s for %s", what)
	}
}
