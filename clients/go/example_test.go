package setplan_test

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server"
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

// serve runs a planner on a free port of the loopback interface.
func serve() (address string, stop func()) {
	s, err := server.New(server.Config{ListenAddress: "127.0.0.1:0", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		panic(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Run(ctx)
	}()
	return s.Addr().String(), func() { cancel(); <-done }
}
