package server

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func TestHundredMegabytesAreRefused(t *testing.T) {
	// The call begins before its client encodes the message, which takes seconds on a busy machine.
	r := start(t, Config{}, func(s *Server) { s.admission.waits.read = time.Minute })
	planner := r.planner(t)
	in := request()
	in.Snapshot.Set.PodTemplate = make([]byte, 100<<20)
	_, err := planner.Plan(testContext(t), in)
	metadata := want(t, err, codes.ResourceExhausted, "MESSAGE_TOO_LARGE")
	size := fmt.Sprint(proto.Size(in))
	if diff := cmp.Diff(map[string]string{"bytes": size, "limit": "67108864"}, metadata); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	if message := status.Convert(err).Message(); !strings.Contains(message, size) || !strings.Contains(message, "67108864") {
		t.Errorf("message %q does not name size and limit", message)
	}
	goesOn(t, planner)
}

// TestFarBeyondTheLimitIsRefusedUnread: the five bytes that give a message's size are enough to refuse it.
func TestFarBeyondTheLimitIsRefusedUnread(t *testing.T) {
	r := start(t, Config{}, nil)
	c := r.dialRaw(t, 1<<16)
	c.call(t, 1<<31, nil, false)
	if code := c.status(t); code != "8" { // RESOURCE_EXHAUSTED
		t.Errorf("the call ends with code %s, want 8", code)
	}
	givesBack(t, r.admission)
}

func TestTooManyPodsAreRefused(t *testing.T) {
	r := start(t, Config{}, nil)
	planner := r.planner(t)
	in := request()
	for i := range 100_001 {
		in.Snapshot.Pods = append(in.Snapshot.Pods, &setplanv1.Pod{Name: fmt.Sprintf("web-%d", i), Uid: fmt.Sprint(i)})
	}
	_, err := planner.Plan(testContext(t), in)
	metadata := want(t, err, codes.ResourceExhausted, "TOO_MANY_PODS")
	if diff := cmp.Diff(map[string]string{"pods": "100001", "limit": "100000"}, metadata); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	if message := status.Convert(err).Message(); message != "the snapshot has 100001 pods; the limit is 100000" {
		t.Errorf("message %q", message)
	}
	goesOn(t, planner)
}

func TestPlanOverTheLimit(t *testing.T) {
	const limit = 4096
	r := start(t, Config{Limits: Limits{MaxMessageBytes: limit}}, func(s *Server) {
		s.service.decide = func(*model.Snapshot, func() bool) *model.Plan {
			return &model.Plan{Blocks: []model.Block{{Message: strings.Repeat("x", limit)}}}
		}
	})
	_, err := r.planner(t).Plan(testContext(t), request())
	if metadata := want(t, err, codes.ResourceExhausted, "MESSAGE_TOO_LARGE"); metadata["limit"] != "4096" {
		t.Errorf("metadata %v", metadata)
	}
}

// TestServerInfoTellsTheAnnotations: it lists the annotations that are known, and no others.
func TestServerInfoTellsTheAnnotations(t *testing.T) {
	planner := start(t, Config{}, nil).planner(t)
	info, err := planner.GetServerInfo(testContext(t), &setplanv1.GetServerInfoRequest{})
	if err != nil || len(info.Annotations) == 0 {
		t.Fatalf("info = %v, %v", info, err)
	}
	for _, name := range append(info.Annotations, "setplan.io/of-tomorrow") {
		in := request()
		in.Snapshot.Set.Annotations = map[string]string{name: ""}
		response, err := planner.Plan(testContext(t), in)
		if err != nil {
			t.Fatal(err)
		}
		said := slices.ContainsFunc(response.GetPlan().GetBlocks(), func(b *setplanv1.Block) bool {
			return b.GetCode() == setplanv1.BlockCode_BLOCK_CODE_INVALID_POLICY && strings.Contains(b.GetMessage(), name)
		})
		if known := slices.Contains(info.Annotations, name); known == said {
			t.Errorf("%s is listed: %t; a block names it: %t", name, known, said)
		}
	}
}

func TestServerInfoTellsTheLimits(t *testing.T) {
	r := start(t, Config{Limits: Limits{MaxPods: 7, MaxMessageBytes: 1 << 20}}, nil)
	info, err := r.planner(t).GetServerInfo(testContext(t), &setplanv1.GetServerInfoRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if info.MaxPods != 7 || info.MaxMessageBytes != 1<<20 || info.Version == "" {
		t.Errorf("info = %v", info)
	}
	if len(info.Behaviors) != len(setplanv1.Behavior_name)-1 || len(info.Capabilities) != len(setplanv1.Capability_name)-1 {
		t.Errorf("behaviors %v, capabilities %v", info.Behaviors, info.Capabilities)
	}
}
