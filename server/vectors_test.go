package server

import (
	"cmp"
	"os"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/proto/vectors"
)

const vectorsFolder = "../proto/testdata/vectors"

// someVectors is the folder of all vectors if SETPLAN_VECTORS names it, as make test-long does, and otherwise that of the stored ones.
var someVectors = cmp.Or(os.Getenv("SETPLAN_VECTORS"), vectorsFolder)

// TestVectors sends each vector's request to a server over TLS, and compares the plan, or the status with all details.
func TestVectors(t *testing.T) {
	all, err := vectors.Read(someVectors)
	if err != nil {
		t.Fatal(err)
	}
	planners := map[vectors.Limits]*grpc.ClientConn{}
	asked := 0
	for _, v := range all {
		if strings.HasPrefix(v.Name, statusArea) {
			continue // TestStatusVectors
		}
		limits := vectors.Limits{}
		if v.Limits != nil {
			limits = *v.Limits
		}
		if planners[limits] == nil {
			config := Config{Limits: Limits{MaxPods: int(limits.MaxPods), MaxMessageBytes: int(limits.MaxMessageBytes)}}
			planners[limits] = start(t, config, nil).dial(t)
		}
		asked++
		checkVector(t, planners[limits], v)
	}
	if asked < 80 {
		t.Errorf("%d vectors, want more", asked)
	}
}

func checkVector(t *testing.T, planner *grpc.ClientConn, v *vectors.Vector) {
	t.Helper()
	request, err := v.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	var answer []byte
	err = planner.Invoke(testContext(t), setplanv1.PlannerService_Plan_FullMethodName, request, &answer, grpc.ForceCodec(bothInBytes{}))
	if err != nil || v.Error != nil {
		if diff := gocmp.Diff(v.Error, vectors.ErrorOf(err)); diff != "" {
			t.Errorf("%s: the status (-want +got):\n%s", v.Name, diff)
		}
		return
	}
	got := &setplanv1.PlanResponse{}
	if err := proto.Unmarshal(answer, got); err != nil {
		t.Fatal(err)
	}
	want, err := v.WantedPlan()
	if err != nil {
		t.Fatal(err)
	}
	if !proto.Equal(want, got.GetPlan()) {
		t.Errorf("%s: the plan (-want +got), which 'make rewrite WHAT=vectors' accepts:\n%s", v.Name, gocmp.Diff(want, got.GetPlan(), protocmp.Transform()))
	}
}

// bothInBytes sends and receives bytes, because no library would send some of the vectors.
type bothInBytes struct{ rawCodec }

func (bothInBytes) Unmarshal(data []byte, v any) error {
	*v.(*[]byte) = append([]byte(nil), data...)
	return nil
}
