package flood

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"slices"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/codec"
	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// latencies are the durations of one caller's calls.
type latencies struct {
	took          []time.Duration // in order
	calls, failed int
}

func (l latencies) at(percent int) time.Duration {
	if len(l.took) == 0 {
		return time.Hour
	}
	return l.took[min(len(l.took)-1, len(l.took)*percent/100)]
}

func dial(p *testbed.Server, who *tls.Config) (*grpc.ClientConn, error) {
	return grpc.NewClient(p.Address, grpc.WithTransportCredentials(security(who)), grpc.WithDisableRetry(),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(64<<20)))
}

// small is an adapter's request for most sets: three pods to create.
func small() *setplanv1.PlanRequest {
	return &setplanv1.PlanRequest{Capabilities: codec.Capabilities(), Snapshot: &setplanv1.Snapshot{
		ObservedAt: timestamppb.Now(),
		Coverage:   &setplanv1.Coverage{Pods: true, Claims: true, Revisions: true},
		Set: &setplanv1.StatefulSet{
			ApiVersion: "apps/v1", Kind: "StatefulSet", Namespace: "shop", Name: "web", Uid: "u", Generation: 1,
			Replicas: proto.Int32(3), ServiceName: "web",
			Selector:    &setplanv1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			PodTemplate: []byte(`{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"nginx"}]}}`),
		},
	}}
}

// ask sends a small request repeatedly, with pauses, for a duration.
func ask(p *testbed.Server, who *tls.Config, howLong time.Duration) (out latencies, err error) {
	connection, err := dial(p, who)
	if err != nil {
		return out, err
	}
	defer func() { _ = connection.Close() }()
	planner, request := setplanv1.NewPlannerServiceClient(connection), small()
	for end := time.Now().Add(howLong); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		began := time.Now()
		_, err := planner.Plan(ctx, request)
		took := time.Since(began)
		cancel()
		out.calls++
		if err != nil {
			if out.failed++; out.failed == 1 {
				fmt.Println("       an honest call failed:", err)
			}
		}
		out.took = append(out.took, took)
	}
	slices.Sort(out.took)
	return out, nil
}

// probe asks /healthz until it is told to end, and returns the slowest answer.
func probe(p *testbed.Server, end <-chan struct{}) time.Duration {
	var slowest time.Duration
	client := http.Client{Timeout: 10 * time.Second}
	for {
		began := time.Now()
		answer, err := client.Get("http://" + p.Monitor + "/healthz")
		if err == nil {
			_ = answer.Body.Close()
		}
		slowest = max(slowest, time.Since(began))
		select {
		case <-end:
			return slowest
		case <-time.After(50 * time.Millisecond):
		}
	}
}
