package server

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func TestHealth(t *testing.T) {
	r := start(t, Config{}, nil)
	client := healthv1.NewHealthClient(r.dial(t))
	for _, service := range []string{"", "setplan.v1.PlannerService"} {
		got, err := client.Check(testContext(t), &healthv1.HealthCheckRequest{Service: service})
		if err != nil || got.Status != healthv1.HealthCheckResponse_SERVING {
			t.Errorf("health of %q: %v, %v", service, got, err)
		}
	}
	if strings.Contains(r.log.String(), "finished call") {
		t.Error("a probe was logged")
	}
}

func TestMonitor(t *testing.T) {
	r := start(t, Config{MetricsAddress: "127.0.0.1:0"}, nil)
	planner := r.planner(t)
	goesOn(t, planner)
	bad := request()
	bad.Snapshot.Set = nil
	_, err := planner.Plan(testContext(t), bad)
	want(t, err, codes.InvalidArgument, "INVALID_SNAPSHOT")

	base := "http://" + r.MetricsAddr().String()
	metrics := get(t, base+"/metrics", http.StatusOK)
	for _, line := range []string{
		`setplan_plans_total{result="actions"} 1`,
		`setplan_plan_actions_total{operation="create_revision"} 1`,
		`setplan_plan_duration_seconds_count 1`,
		`setplan_snapshot_pods_count 1`,
		`grpc_server_handled_total{grpc_code="InvalidArgument",grpc_method="Plan",grpc_service="setplan.v1.PlannerService",grpc_type="unary"} 1`,
		`grpc_server_handling_seconds_count{grpc_method="Plan",grpc_service="setplan.v1.PlannerService",grpc_type="unary"} 2`,
	} {
		if !strings.Contains(metrics, line) {
			t.Errorf("metrics lack %s", line)
		}
	}
	get(t, base+"/healthz", http.StatusOK)
	get(t, base+"/readyz", http.StatusOK)
	r.gate.enter() // a call in flight keeps the monitor up while the server drains
	r.stop()
	waitFor(t, func() bool { return !r.ready() })
	get(t, base+"/readyz", http.StatusServiceUnavailable)
	get(t, base+"/healthz", http.StatusOK)
	r.gate.leave()
}

func get(t *testing.T, url string, code int) string {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != code {
		t.Fatalf("%s: %s, %v, want %d", url, response.Status, err, code)
	}
	return string(body)
}

func TestLogLine(t *testing.T) {
	r := start(t, Config{}, nil)
	var header metadata.MD
	ctx := metadata.AppendToOutgoingContext(testContext(t), "x-request-id", "caller-7")
	if _, err := r.planner(t).Plan(ctx, request(), grpc.Header(&header)); err != nil {
		t.Fatal(err)
	}
	if got := header.Get("x-request-id"); len(got) != 1 || got[0] != "caller-7" {
		t.Errorf("request id in the header: %q, want the caller's", got)
	}
	log := r.log.String()
	for _, field := range []string{"request_id=caller-7", "namespace=shop", "set=web", "uid=u-set", "pods=0", "actions=",
		"blocks=", "converged=false", "grpc.code=OK", "grpc.duration=", "grpc.method=Plan"} {
		if !strings.Contains(log, field) {
			t.Errorf("the log lacks %s:\n%s", field, log)
		}
	}
	if strings.Contains(log, secret) {
		t.Errorf("the log holds template bytes:\n%s", log)
	}
}

func TestSameRequestSameBytes(t *testing.T) {
	r := start(t, Config{}, func(s *Server) {
		s.service.decide = func(*model.Snapshot, func() bool) *model.Plan {
			var labels []model.KeyValue
			for _, k := range strings.Fields("a b c d e f g h i j") {
				labels = append(labels, model.KeyValue{Key: k, Value: k})
			}
			action := model.Action{Op: model.PatchPod{Labels: labels}}
			return &model.Plan{Stages: []model.Stage{{Steps: []model.Step{{Actions: []model.Action{action}}}}}}
		}
	})
	connection := r.dial(t)
	seen := map[string]bool{}
	for range 20 {
		var answer []byte
		err := connection.Invoke(testContext(t), setplanv1.PlannerService_Plan_FullMethodName, request(), &answer,
			grpc.ForceCodec(bytesOut{}))
		if err != nil {
			t.Fatal(err)
		}
		seen[string(answer)] = true
	}
	if len(seen) != 1 {
		t.Errorf("one request, %d different answers", len(seen))
	}
}

func TestChainOrder(t *testing.T) {
	var got []string
	for _, l := range chain(nil, nil, &doorkeeper{}, newGate(), nil) {
		got = append(got, l.name)
	}
	order := []string{"request-id", "metrics", "logging", "door", "gate", "recovery"}
	if diff := cmp.Diff(order, got); diff != "" {
		t.Errorf("the order matters, see chain (-want +got):\n%s", diff)
	}
}

func TestEveryMethodIsServed(t *testing.T) {
	var want, got []string
	for _, m := range setplanv1.PlannerService_ServiceDesc.Methods {
		want = append(want, m.MethodName)
	}
	streams := map[string]bool{}
	for _, s := range setplanv1.PlannerService_ServiceDesc.Streams {
		want, streams[s.StreamName] = append(want, s.StreamName), true
	}
	for _, s := range describe(NewService(ServiceOptions{}), nil, nil).Streams {
		got = append(got, s.StreamName)
		if s.ClientStreams || s.ServerStreams != streams[s.StreamName] {
			t.Errorf("%s carries several messages: %t", s.StreamName, s.ServerStreams)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("methods of the contract and of describe (-want +got):\n%s", diff)
	}
}

// bytesOut sends messages and keeps the bytes of the answer.
type bytesOut struct{}

func (bytesOut) Marshal(v any) ([]byte, error) { return proto.Marshal(v.(proto.Message)) }
func (bytesOut) Name() string                  { return "proto" }
func (bytesOut) Unmarshal(data []byte, v any) error {
	*v.(*[]byte) = append([]byte(nil), data...)
	return nil
}
