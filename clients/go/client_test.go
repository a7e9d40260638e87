package setplan_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// fake is a planner with a test's answers.
type fake struct {
	setplanv1.UnimplementedPlannerServiceServer
	calls atomic.Int32
	plan  func(ctx context.Context, call int32) (*setplanv1.PlanResponse, error)
}

func (f *fake) Plan(ctx context.Context, _ *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	return f.plan(ctx, f.calls.Add(1))
}

// listen serves f on an address; an empty one means a free port.
func listen(t *testing.T, address string, f setplanv1.PlannerServiceServer) (string, *grpc.Server) {
	t.Helper()
	if address == "" {
		address = "127.0.0.1:0"
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer(grpc.MaxRecvMsgSize(64 << 20))
	setplanv1.RegisterPlannerServiceServer(s, f)
	go func() { _ = s.Serve(l) }()
	t.Cleanup(s.Stop)
	return l.Addr().String(), s
}

func dial(t *testing.T, address string, options ...setplan.Option) *setplan.Client {
	t.Helper()
	client, err := setplan.Dial(address, append([]setplan.Option{setplan.WithInsecure()}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// sized is a request of about n bytes.
func sized(n int) *setplanv1.PlanRequest {
	return &setplanv1.PlanRequest{Snapshot: &setplanv1.Snapshot{Set: &setplanv1.StatefulSet{PodTemplate: make([]byte, n)}}}
}

func ok(context.Context, int32) (*setplanv1.PlanResponse, error) {
	return &setplanv1.PlanResponse{Plan: &setplanv1.Plan{Converged: true}}, nil
}

func TestDialRefuses(t *testing.T) {
	for reason, test := range map[string]struct {
		target  string
		options []setplan.Option
		want    string
	}{
		"nothing said about protection": {"localhost:1", nil, "WithInsecure"},
		"two answers about protection": {"localhost:1",
			[]setplan.Option{setplan.WithInsecure(), setplan.WithTLSConfig(&tls.Config{})}, "more than one"},
		"no target":           {"", []setplan.Option{setplan.WithInsecure()}, "no target"},
		"no such authorities": {"localhost:1", []setplan.Option{setplan.WithTLSFiles("/nowhere", "", "")}, "/nowhere"},
		"half a certificate":  {"localhost:1", []setplan.Option{setplan.WithTLSFiles("", "a", "")}, "key"},
		"no time":             {"localhost:1", []setplan.Option{setplan.WithInsecure(), setplan.WithTimeout(0)}, "timeout"},
		"no messages":         {"localhost:1", []setplan.Option{setplan.WithInsecure(), setplan.WithMaxMessageBytes(0)}, "limit"},
	} {
		if _, err := setplan.Dial(test.target, test.options...); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: err = %v, want one with %q", reason, err, test.want)
		}
	}
}

func TestOnlyUnavailableIsRetried(t *testing.T) {
	for code, calls := range map[codes.Code]int32{
		codes.Unavailable:        3,
		codes.Internal:           1,
		codes.InvalidArgument:    1,
		codes.ResourceExhausted:  1,
		codes.FailedPrecondition: 1,
	} {
		f := &fake{plan: func(ctx context.Context, call int32) (*setplanv1.PlanResponse, error) {
			if call < 3 {
				return nil, status.Error(code, "not now")
			}
			return ok(ctx, call)
		}}
		address, _ := listen(t, "", f)
		_, err := dial(t, address).Plan(t.Context(), sized(1<<20)) // larger than gRPC's default buffer for retries
		if got := f.calls.Load(); got != calls || (err == nil) != (code == codes.Unavailable) {
			t.Errorf("%v: %d calls and %v, want %d calls", code, got, err, calls)
		}
	}
}

func TestServerRestart(t *testing.T) {
	address, first := listen(t, "", &fake{plan: ok})
	client := dial(t, address)
	if _, err := client.Plan(t.Context(), sized(1)); err != nil {
		t.Fatal(err)
	}
	first.Stop()
	answered := make(chan error, 1)
	go func() {
		_, err := client.Plan(context.Background(), sized(1<<20))
		answered <- err
	}()
	time.Sleep(100 * time.Millisecond) // the restart takes a while, and the call comes during it
	listen(t, address, &fake{plan: ok})
	if err := <-answered; err != nil {
		t.Errorf("a call across a restart: %v", err)
	}
}

func TestNoServerFailsFast(t *testing.T) {
	address, s := listen(t, "", &fake{plan: ok})
	s.Stop()
	start := time.Now()
	_, err := dial(t, address).Plan(t.Context(), sized(1))
	if took := time.Since(start); status.Code(err) != codes.Unavailable || took > 8*time.Second {
		t.Errorf("%v after %v, want UNAVAILABLE before the deadline", err, took)
	}
}

func TestDefaultDeadline(t *testing.T) {
	var left atomic.Int64
	f := &fake{plan: func(ctx context.Context, call int32) (*setplanv1.PlanResponse, error) {
		deadline, _ := ctx.Deadline()
		left.Store(int64(time.Until(deadline)))
		return ok(ctx, call)
	}}
	address, _ := listen(t, "", f)
	client := dial(t, address)
	own, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	for reason, test := range map[string]struct {
		ctx context.Context
		max time.Duration
	}{
		"none given": {context.Background(), setplan.DefaultTimeout},
		"one hour":   {own, time.Hour},
	} {
		if _, err := client.Plan(test.ctx, sized(1)); err != nil {
			t.Fatal(err)
		}
		if got := time.Duration(left.Load()); got > test.max || got < test.max-5*time.Second {
			t.Errorf("%s: the server sees a deadline in %v, want about %v", reason, got, test.max)
		}
	}
}

func TestMessageLimits(t *testing.T) {
	const limit = 1 << 20
	f := &fake{plan: func(context.Context, int32) (*setplanv1.PlanResponse, error) {
		return &setplanv1.PlanResponse{Plan: &setplanv1.Plan{Blocks: []*setplanv1.Block{{Message: strings.Repeat("x", limit)}}}}, nil
	}}
	address, _ := listen(t, "", f)
	client := dial(t, address, setplan.WithMaxMessageBytes(limit))
	for what, size := range map[string]int{"request": limit, "plan": 1} {
		_, err := client.Plan(t.Context(), sized(size))
		if setplan.ErrorReason(err) != setplanv1.ErrorReason_ERROR_REASON_MESSAGE_TOO_LARGE {
			t.Errorf("%s: %v, want MESSAGE_TOO_LARGE", what, err)
			continue
		}
		if errors.Is(err, setplan.ErrAnswer) != (what == "plan") {
			t.Errorf("%s: whether the answer is to blame: %v", what, err)
		}
		info := status.Convert(err).Details()[0].(*errdetails.ErrorInfo)
		if info.Metadata["limit"] != "1048576" || !strings.Contains(err.Error(), info.Metadata["bytes"]) ||
			!strings.Contains(err.Error(), "the "+what) || !strings.Contains(err.Error(), "client") {
			t.Errorf("%s: %v with %v, want size, limit and whose limit it is", what, err, info.Metadata)
		}
	}
}

func TestUserAgent(t *testing.T) {
	agents := make(chan string, 1)
	f := &fake{plan: func(ctx context.Context, call int32) (*setplanv1.PlanResponse, error) {
		agents <- strings.Join(metadata.ValueFromIncomingContext(ctx, "user-agent"), " ")
		return ok(ctx, call)
	}}
	address, _ := listen(t, "", f)
	if _, err := dial(t, address, setplan.WithUserAgent("my-operator/1.2")).Plan(t.Context(), sized(1)); err != nil {
		t.Fatal(err)
	}
	if got := <-agents; !strings.HasPrefix(got, "my-operator/1.2 setplan-go grpc-go/") {
		t.Errorf("user agent %q", got)
	}
}

func TestErrorsOfOthersHaveNoReason(t *testing.T) {
	for reason, err := range map[string]error{
		"no error":         nil,
		"no status":        context.Canceled,
		"another domain":   detailed(t, &errdetails.ErrorInfo{Reason: "INTERNAL", Domain: "example.com"}),
		"a newer contract": detailed(t, &errdetails.ErrorInfo{Reason: "FULL_MOON", Domain: "setplan.io"}),
	} {
		if got := setplan.ErrorReason(err); got != setplanv1.ErrorReason_ERROR_REASON_UNSPECIFIED {
			t.Errorf("%s: reason %v", reason, got)
		}
		if got := setplan.Violations(err); got != nil {
			t.Errorf("%s: violations %v", reason, got)
		}
	}
}

func detailed(t *testing.T, info *errdetails.ErrorInfo) error {
	s, err := status.New(codes.Internal, "x").WithDetails(info)
	if err != nil {
		t.Fatal(err)
	}
	return s.Err()
}

// TestAnswersAreBounded: an answer of very many elements is not read, and its error says so.
func TestAnswersAreBounded(t *testing.T) {
	f := &fake{plan: func(context.Context, int32) (*setplanv1.PlanResponse, error) {
		return &setplanv1.PlanResponse{Plan: &setplanv1.Plan{Blocks: slices.Repeat([]*setplanv1.Block{{}}, 100_001)}}, nil
	}}
	address, _ := listen(t, "", f)
	if _, err := dial(t, address).Plan(t.Context(), sized(1)); !errors.Is(err, setplan.ErrAnswer) || status.Code(err) != codes.Internal {
		t.Errorf("%v", err)
	}
}
