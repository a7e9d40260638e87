package server

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/codec"
)

// patience bounds every wait of these tests; none of them comes near it.
const patience = 20 * time.Second

// running is a server under test, over TLS unless the test says otherwise.
type running struct {
	*Server
	log  *buffer
	stop context.CancelFunc
	done chan error
	ca   *authority
}

// start runs a server on a free port. prepare may change it before it serves.
func start(t *testing.T, config Config, prepare func(*Server)) *running {
	t.Helper()
	r := &running{log: &buffer{}, done: make(chan error, 1), ca: newAuthority(t)}
	config.ListenAddress = cmp.Or(config.ListenAddress, "127.0.0.1:0")
	if config.Log == nil {
		config.Log = slog.New(slog.NewTextHandler(r.log, nil))
	}
	if config.TLS == (TLSFiles{}) {
		config.TLS.CertFile, config.TLS.KeyFile = r.ca.issue(t, "server")
	}
	var err error
	if r.Server, err = New(config); err != nil {
		t.Fatal(err)
	}
	if prepare != nil {
		prepare(r.Server)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	go func() { r.done <- r.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		select {
		case err := <-r.done:
			if err != nil {
				t.Errorf("Run: %v", err)
			}
		case <-time.After(patience):
			t.Error("the server did not stop")
		}
	})
	return r
}

// dial connects with the test's authority and no limits of its own.
func (r *running) dial(t *testing.T, certificates ...tls.Certificate) *grpc.ClientConn {
	t.Helper()
	config := &tls.Config{RootCAs: r.ca.pool(), Certificates: certificates}
	address := net.JoinHostPort("127.0.0.1", fmt.Sprint(r.Addr().(*net.TCPAddr).Port))
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(credentials.NewTLS(config)),
		grpc.WithDisableRetry())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	return connection
}

func (r *running) planner(t *testing.T) setplanv1.PlannerServiceClient {
	return setplanv1.NewPlannerServiceClient(r.dial(t))
}

func testContext(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// request is small and valid; its template has a secret that must never leave except in a plan.
func request() *setplanv1.PlanRequest {
	return &setplanv1.PlanRequest{Capabilities: codec.Capabilities(), Snapshot: &setplanv1.Snapshot{
		ObservedAt: timestamppb.New(time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)),
		Coverage:   &setplanv1.Coverage{Pods: true, Claims: true, Revisions: true},
		Set: &setplanv1.StatefulSet{
			ApiVersion: "apps/v1", Kind: "StatefulSet", Namespace: "shop", Name: "web", Uid: "u-set", Generation: 1,
			ServiceName: "web", Selector: &setplanv1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			PodTemplate: []byte(`{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"` + secret + `"}]}}`),
		},
	}}
}

const secret = "hunter2"

// want checks code and reason, and returns the metadata of the ErrorInfo.
func want(t *testing.T, err error, code codes.Code, reason string) map[string]string {
	t.Helper()
	if status.Code(err) != code {
		t.Fatalf("err = %v, want code %v", err, code)
	}
	info := detail[*errdetails.ErrorInfo](err)
	if info.GetReason() != reason || info.GetDomain() != "setplan.io" {
		t.Fatalf("err = %v with ErrorInfo %v, want reason %s of setplan.io", err, info, reason)
	}
	return info.GetMetadata()
}

// detail is the first detail of a type, or its zero value.
func detail[T any](err error) (found T) {
	for _, d := range status.Convert(err).Details() {
		if d, ok := d.(T); ok {
			return d
		}
	}
	return found
}

// goesOn fails unless the server still makes plans.
func goesOn(t *testing.T, planner setplanv1.PlannerServiceClient) {
	t.Helper()
	response, err := planner.Plan(testContext(t), request())
	if err != nil || response.GetPlan() == nil {
		t.Fatalf("the server did not go on: %v", err)
	}
}

// buffer is a log that may be read while it is written.
type buffer struct {
	mu   sync.Mutex
	data bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.data.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.data.String()
}
