package setplan_test

import (
	"context"
	"fmt"
	"net"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func Example() {
	address, stop := serve()
	defer stop()

	client, err := setplan.Dial(address, setplan.WithInsecure()) // the planner is on this machine
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()

	snapshot := &setplanv1.Snapshot{
		ObservedAt: timestamppb.New(time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)),
		Set:        &setplanv1.StatefulSet{ApiVersion: "apps/v1", Kind: "StatefulSet", Namespace: "shop", Name: "web"},
	}
	_, err = client.Plan(context.Background(), &setplanv1.PlanRequest{Snapshot: snapshot})
	fmt.Println(setplan.ErrorReason(err))
	for _, v := range setplan.Violations(err) {
		fmt.Printf("%s: %s\n", v.Field, v.Description)
	}
	// Output:
	// ERROR_REASON_INVALID_SNAPSHOT
	// snapshot.set.uid: required
	// snapshot.set.pod_template: required
}

// serve answers on a free port as the planner does to this snapshot; server/goclient_test.go asks the planner itself.
func serve() (address string, stop func()) {
	refusal, err := status.New(codes.InvalidArgument, "the snapshot is invalid").WithDetails(
		&errdetails.ErrorInfo{Reason: "INVALID_SNAPSHOT", Domain: "setplan.io"},
		&errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{
			{Field: "snapshot.set.uid", Description: "required"},
			{Field: "snapshot.set.pod_template", Description: "required"},
		}})
	if err != nil {
		panic(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	s := grpc.NewServer()
	setplanv1.RegisterPlannerServiceServer(s, &fake{plan: func(context.Context, int32) (*setplanv1.PlanResponse, error) {
		return nil, refusal.Err()
	}})
	go func() { _ = s.Serve(l) }()
	return l.Addr().String(), s.Stop
}
