package wasm_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/rpc/code"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/proto/vectors"
	"github.com/setplan/setplan/server"
	"github.com/setplan/setplan/server/codec"
	"github.com/setplan/setplan/server/wasm"
)

// frames takes an answer apart.
func frames(t *testing.T, answer []byte) (messages [][]byte, failed *spb.Status) {
	t.Helper()
	for len(answer) > 0 {
		if len(answer) < 5 || len(answer)-5 < int(binary.BigEndian.Uint32(answer[1:])) || failed != nil {
			t.Fatalf("no frames, or some after the status: %x", answer)
		}
		kind, message := answer[0], answer[5:5+binary.BigEndian.Uint32(answer[1:])]
		answer = answer[5+len(message):]
		if kind == 0 {
			messages = append(messages, message)
			continue
		}
		failed = &spb.Status{}
		if err := proto.Unmarshal(message, failed); err != nil || kind != 1 {
			t.Fatalf("kind %d, %v", kind, err)
		}
	}
	return messages, failed
}

func marshal(t *testing.T, message proto.Message) []byte {
	t.Helper()
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestVectors: each request gets the bytes of the plan, or of the status, that a server sends.
func TestVectors(t *testing.T) {
	folder := "../../proto/testdata/vectors"
	if made := os.Getenv("SETPLAN_VECTORS"); made != "" {
		folder = made
	}
	all, err := vectors.Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	service := server.NewService(server.ServiceOptions{Log: slog.New(slog.DiscardHandler)})
	plans, refusals := 0, 0
	for _, v := range all {
		data, err := v.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if data == nil || v.Limits != nil {
			continue // about the state of a server, or its limits
		}
		messages, failed := frames(t, wasm.Answer(wasm.Plan, data))
		if v.Error != nil {
			refusals++
			if diff := cmp.Diff(v.Error, vectors.ErrorOf(status.FromProto(failed).Err())); diff != "" || len(messages) > 0 {
				t.Errorf("%s (-want +got):\n%s", v.Name, diff)
			}
			continue
		}
		plans++
		request := &setplanv1.PlanRequest{}
		if err := codec.Read(data, request, codec.Limits{}); err != nil {
			t.Fatal(err)
		}
		want, err := service.Plan(t.Context(), request)
		if err != nil || failed != nil || len(messages) != 1 || !bytes.Equal(messages[0], marshal(t, want)) {
			t.Errorf("%s: %v, %v, and the plans differ", v.Name, err, failed)
		}
	}
	if plans < 60 || refusals < 3 {
		t.Errorf("%d plans and %d refusals", plans, refusals)
	}
}

// aRequest is one of the vectors that plans something.
func aRequest(t *testing.T) *setplanv1.PlanRequest {
	t.Helper()
	all, err := vectors.Read("../../proto/testdata/vectors/objects")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		if v.Name == "pod-containers" {
			request, err := v.PlanRequest()
			if err != nil {
				t.Fatal(err)
			}
			return request
		}
	}
	t.Fatal("there is no such vector")
	return nil
}

// TestForecast: the steps and the result are those of a server.
func TestForecast(t *testing.T) {
	for _, pessimistic := range []bool{false, true} {
		ask := &setplanv1.ForecastRequest{Start: aRequest(t), Pessimistic: pessimistic}
		var want [][]byte
		result, err := server.NewService(server.ServiceOptions{}).Foresee(t.Context(), proto.CloneOf(ask), func(step *setplanv1.ForecastStep) error {
			want = append(want, marshal(t, &setplanv1.ForecastResponse{Part: &setplanv1.ForecastResponse_Step{Step: step}}))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, marshal(t, &setplanv1.ForecastResponse{Part: &setplanv1.ForecastResponse_Result{Result: result}}))
		got, failed := frames(t, wasm.Answer(wasm.Forecast, marshal(t, ask)))
		if diff := cmp.Diff(want, got); diff != "" || failed != nil || len(want) < 3 {
			t.Errorf("%v, %s", failed, diff)
		}
	}
	ask := &setplanv1.ForecastRequest{Start: aRequest(t)}
	ask.Start.Snapshot.Set = nil
	_, failed := frames(t, wasm.Answer(wasm.Forecast, marshal(t, ask)))
	if e := vectors.ErrorOf(status.FromProto(failed).Err()); e.Code != "INVALID_ARGUMENT" || e.Violations[0].Field != "start.snapshot.set" {
		t.Errorf("%+v", e)
	}
}

// TestOthers: what is no plan and no forecast.
func TestOthers(t *testing.T) {
	messages, failed := frames(t, wasm.Answer(wasm.GetServerInfo, nil))
	got := &setplanv1.GetServerInfoResponse{}
	if failed != nil || len(messages) != 1 || proto.Unmarshal(messages[0], got) != nil {
		t.Fatal(failed)
	}
	want, err := server.NewService(server.ServiceOptions{Limits: server.Limits{MaxMessageBytes: wasm.MaxRequest}}).GetServerInfo(t.Context(), nil)
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" || err != nil {
		t.Error(err, diff)
	}
	for name, test := range map[string]struct {
		method int32
		data   []byte
		want   code.Code
	}{
		"no method":             {7, nil, code.Code_UNIMPLEMENTED},
		"no message":            {wasm.GetServerInfo, []byte{0xff}, code.Code_INVALID_ARGUMENT},
		"no forecast":           {wasm.Forecast, []byte{0xff}, code.Code_INVALID_ARGUMENT},
		"too large":             {wasm.Plan, make([]byte, wasm.MaxRequest+1), code.Code_RESOURCE_EXHAUSTED},
		"too large, a forecast": {wasm.Forecast, make([]byte, wasm.MaxRequest+1), code.Code_RESOURCE_EXHAUSTED},
	} {
		if _, failed := frames(t, wasm.Answer(test.method, test.data)); failed.GetCode() != int32(test.want) {
			t.Errorf("%s: %v", name, failed)
		}
	}
}

// TestNoNetwork: the module holds no gRPC and nothing that talks to a network.
func TestNoNetwork(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "../cmd/setplan-wasm")
	list.Env = append(list.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	out, err := list.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		t.Fatalf("%v: %s", err, exit.Stderr)
	} else if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		if strings.HasPrefix(path, "google.golang.org/grpc") || strings.HasPrefix(path, "net") || strings.HasPrefix(path, "k8s.io/") {
			t.Errorf("it holds %s", path)
		}
	}
	if !strings.Contains(string(out), "github.com/setplan/setplan/server/wasm\n") {
		t.Error("it does not hold its planner")
	}
}
