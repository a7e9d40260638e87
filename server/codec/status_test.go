package codec

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestLongRevisionInTheStatus: a revision's name that no object can have, in a status that anybody who may write it has written, keeps nobody from
// planning the set. A block says so, and the plan writes the status anew.
func TestLongRevisionInTheStatus(t *testing.T) {
	for _, length := range []int{253, 254, 300, 1 << 20} {
		r := request()
		set := r.Snapshot.Set
		set.DeletionUnixMs, set.Replicas = 0, proto.Int32(0)
		set.Selector = &setplanv1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
		set.PodTemplate = []byte(`{"metadata":{"labels":{"app":"web"}},"spec":{}}`)
		r.Snapshot.Pods, r.Snapshot.Claims, r.Snapshot.Revisions, r.Snapshot.Policy = nil, nil, nil, nil
		set.Status = &setplanv1.StatefulSetStatus{CurrentRevision: proto.String(strings.Repeat("x", length))}
		r.Capabilities = append(r.Capabilities, setplanv1.Capability_CAPABILITY_UPDATE_STATUS, setplanv1.Capability_CAPABILITY_CREATE_REVISION)
		data, err := proto.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := Check(data, Limits{MaxElements: MaxElements}); err != nil {
			t.Fatalf("%d bytes: %v", length, err)
		}
		snapshot, err := Decode(r, Limits{})
		if err != nil {
			t.Fatalf("%d bytes: %v", length, err)
		}
		plan := engine.Decide(snapshot)
		told := slices.ContainsFunc(plan.Blocks, func(b model.Block) bool { return b.Code == model.BlockInvalidRevision && b.Severity == model.Info })
		var wrote string
		for _, stage := range plan.Stages {
			for _, step := range stage.Steps {
				for _, action := range step.Actions {
					if update, ok := action.Op.(model.UpdateStatus); ok {
						wrote = update.Status.CurrentRevision
					}
				}
			}
		}
		if told != (length > 253) || length > 253 && !strings.HasPrefix(wrote, "web-") {
			t.Errorf("%d bytes: the status names %.20q then, and a block says so: %t\n%+v", length, wrote, told, plan.Blocks)
		}
	}
}
