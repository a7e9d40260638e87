package setplan_test

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// cutter is a listener that ends all its connections at once, as a server does whose authority was removed.
type cutter struct {
	net.Listener
	mu   sync.Mutex
	open []net.Conn
}

func (l *cutter) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		l.mu.Lock()
		l.open = append(l.open, c)
		l.mu.Unlock()
	}
	return c, err
}

func (l *cutter) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.open {
		_ = c.Close()
	}
	l.open = nil
}

// TestCutAnswer: a connection that ends between the headers of an answer and the answer costs nothing but a second call. gRPC by itself does not try
// again then, because the answer has begun.
func TestCutAnswer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	cutting := &cutter{Listener: l}
	f := &fake{plan: func(ctx context.Context, call int32) (*setplanv1.PlanResponse, error) {
		if call == 1 {
			if err := grpc.SendHeader(ctx, metadata.MD{}); err != nil {
				t.Error(err)
			}
			time.Sleep(200 * time.Millisecond) // until the headers are there
			cutting.cut()
		}
		return ok(ctx, call)
	}}
	s := grpc.NewServer()
	setplanv1.RegisterPlannerServiceServer(s, f)
	go func() { _ = s.Serve(cutting) }()
	t.Cleanup(s.Stop)
	if _, err := dial(t, l.Addr().String()).Plan(t.Context(), sized(1)); err != nil || f.calls.Load() != 2 {
		t.Errorf("%d calls, and %v", f.calls.Load(), err)
	}
}

// TestUnavailable: a server that refuses is asked as often as the retry policy says, and not once more.
func TestUnavailable(t *testing.T) {
	f := &fake{plan: func(context.Context, int32) (*setplanv1.PlanResponse, error) {
		return nil, status.Error(codes.Unavailable, "not now")
	}}
	address, _ := listen(t, "", f)
	if _, err := dial(t, address).Plan(t.Context(), sized(1)); status.Code(err) != codes.Unavailable || f.calls.Load() != 4 {
		t.Errorf("%d calls, and %v", f.calls.Load(), err)
	}
}
