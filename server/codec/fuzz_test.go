package codec

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// FuzzPlan runs bytes through everything between the bytes of a request and those of its plan: every message is refused with a typed
// error, or becomes a plan that can be sent, the same plan each time.
func FuzzPlan(f *testing.F) {
	for _, seed := range fuzzRequests(f) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		request := &setplanv1.PlanRequest{}
		if Check(data, plenty) != nil || Read(data, request, Limits{}) != nil {
			return
		}
		snapshot, err := Decode(request, Limits{MaxPods: 1000})
		if err != nil {
			return // TestDecodeNeverPanics checks the error's type
		}
		if first, again := planBytes(t, snapshot), planBytes(t, snapshot); !bytes.Equal(first, again) {
			t.Fatal("the same request gave other bytes")
		}
	})
}

func planBytes(t *testing.T, snapshot *model.Snapshot) []byte {
	plan := Encode(engine.Decide(snapshot), snapshot.Set.Namespace)
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(plan)
	if err != nil {
		t.Fatalf("the plan cannot be sent: %v", err)
	}
	if err := proto.Unmarshal(data, &setplanv1.Plan{}); err != nil {
		t.Fatalf("the plan cannot be read: %v", err)
	}
	return data
}

// fuzzRequests are the recorded requests of the contract and some that plan a lot.
func fuzzRequests(f *testing.F) (seeds [][]byte) {
	recorded, err := filepath.Glob("../../proto/testdata/wire/*plan-request*.binpb")
	if err != nil || len(recorded) == 0 {
		f.Fatalf("no recorded requests: %v", err)
	}
	for _, file := range recorded {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, data)
	}
	busy := func(change func(*setplanv1.StatefulSet)) {
		r := request()
		r.Capabilities, r.Snapshot.Policy = Capabilities(), nil
		set := r.Snapshot.Set
		set.DeletionUnixMs, set.Selector.MatchExpressions = 0, nil
		set.PodTemplate = []byte(`{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c"}]}}`)
		change(set)
		data, err := proto.Marshal(r)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, data)
	}
	busy(func(*setplanv1.StatefulSet) {})
	busy(func(set *setplanv1.StatefulSet) { set.Replicas, set.ClaimTemplates = proto.Int32(2000), nil })
	busy(func(set *setplanv1.StatefulSet) { set.Name = strings.Repeat("w", 300) })
	busy(func(set *setplanv1.StatefulSet) {
		set.PodTemplate = []byte(`{"metadata":{"labels":{"app":"web"}},"spec":7}`)
	})
	busy(func(set *setplanv1.StatefulSet) { set.Selector = &setplanv1.LabelSelector{} })
	return seeds
}
