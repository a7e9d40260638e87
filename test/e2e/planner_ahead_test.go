//go:build e2e

package e2e

import (
	"context"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// ahead is a planner for which it is later than for everybody else: what has to wait for minutes is due at once. It asks ours.
type ahead struct {
	setplanv1.UnimplementedPlannerServiceServer
	ours *setplan.Client
	by   atomic.Int64
}

// Plan implements the service.
func (a *ahead) Plan(ctx context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	now := request.GetSnapshot().GetObservedAt().AsTime()
	request.GetSnapshot().ObservedAt = timestamppb.New(now.Add(time.Duration(a.by.Load())))
	return a.ours.Plan(ctx, request)
}

// GetServerInfo implements the service.
func (a *ahead) GetServerInfo(ctx context.Context, _ *setplanv1.GetServerInfoRequest) (*setplanv1.GetServerInfoResponse, error) {
	return a.ours.ServerInfo(ctx)
}

// sharedPlanner is a client of the planner that most tests use.
func sharedPlanner(t *testing.T) *setplan.Client {
	t.Helper()
	client, err := setplan.Dial(shared.planner.address, setplan.WithTLSFiles(shared.planner.ca, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// servePlanner starts a planner of the test's own.
func servePlanner(t *testing.T, service setplanv1.PlannerServiceServer) *planner {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serving := grpc.NewServer()
	setplanv1.RegisterPlannerServiceServer(serving, service)
	go func() { _ = serving.Serve(listener) }()
	t.Cleanup(serving.Stop)
	return &planner{address: listener.Addr().String()}
}
