package server

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protowire"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func TestUnknownPolicies(t *testing.T) {
	r := start(t, Config{}, nil)
	planner := r.planner(t)
	newer := &setplanv1.Policy{}
	newer.ProtoReflect().SetUnknown(protowire.AppendString(protowire.AppendTag(nil, 9, protowire.BytesType), "drain"))
	for name, policy := range map[string]*setplanv1.Policy{"behavior": {Behavior: 77}, "field": newer} {
		in := request()
		in.Snapshot.Policy = policy
		_, err := planner.Plan(testContext(t), in)
		want(t, err, codes.FailedPrecondition, "UNSUPPORTED_POLICY")
		t.Logf("%s: %v", name, err)
	}
	goesOn(t, planner)
}

func TestMalformedRequestNamesItsFields(t *testing.T) {
	r := start(t, Config{}, nil)
	planner := r.planner(t)
	in := request()
	in.Snapshot.Set.Uid = ""
	in.Snapshot.Pods = []*setplanv1.Pod{{Name: "web-0", Uid: "u-0", LabelSetIndex: 9}}
	_, err := planner.Plan(testContext(t), in)
	want(t, err, codes.InvalidArgument, "INVALID_SNAPSHOT")
	var got []string
	for _, v := range detail[*errdetails.BadRequest](err).GetFieldViolations() {
		got = append(got, v.GetField()+": "+v.GetDescription())
	}
	wanted := []string{"snapshot.pods[0].label_set_index: index 9 is outside the table of 0: entries count from 0", "snapshot.set.uid: required"}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("violations (-want +got):\n%s", diff)
	}
	goesOn(t, planner)
}

// raw sends bytes that no client library would send.
type raw struct{ grpc.ClientConnInterface }

type rawCodec struct{}

func (rawCodec) Marshal(v any) ([]byte, error) { return v.([]byte), nil }
func (rawCodec) Unmarshal([]byte, any) error   { return nil }
func (rawCodec) Name() string                  { return "proto" }

func (r raw) plan(ctx context.Context, data []byte) error {
	return r.Invoke(ctx, setplanv1.PlannerService_Plan_FullMethodName, data, nil, grpc.ForceCodec(rawCodec{}))
}

func TestBytesThatAreNoMessage(t *testing.T) {
	r := start(t, Config{}, nil)
	connection := r.dial(t)
	for field, data := range map[string][]byte{
		"request": {0x0a, 0xff, 0x01}, // cut off
		"snapshot.set.name": protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType),
			protowire.AppendBytes(protowire.AppendTag(nil, 3, protowire.BytesType),
				protowire.AppendBytes(protowire.AppendTag(nil, 4, protowire.BytesType), []byte{0xff}))), // not UTF-8
	} {
		err := raw{connection}.plan(testContext(t), data)
		want(t, err, codes.InvalidArgument, "INVALID_SNAPSHOT")
		if fields := detail[*errdetails.BadRequest](err).GetFieldViolations(); len(fields) != 1 || fields[0].Field != field {
			t.Errorf("want %s; violations %v", field, fields)
		}
		t.Log(err)
	}
	goesOn(t, setplanv1.NewPlannerServiceClient(connection))
}

func TestOddSpecIsAPlanWithBlocks(t *testing.T) {
	r := start(t, Config{}, nil)
	in := request()
	in.Snapshot.Set.PodTemplate = []byte("not JSON")
	response, err := r.planner(t).Plan(testContext(t), in)
	if err != nil {
		t.Fatalf("%v, want a plan", err)
	}
	if len(response.GetPlan().GetBlocks()) == 0 {
		t.Error("a plan without blocks for a template that is not JSON")
	}
}
