package adapters_test

import (
	"errors"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/google/go-cmp/cmp"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestUnknownGuards: a newer planner restricts a write by a field that this build lacks. Nothing of that stage is written; if
// the field is in the fence, nothing at all.
func TestUnknownGuards(t *testing.T) {
	for name, newer := range map[string]func(*setplanv1.Plan) protoreflect.ProtoMessage{
		"fence": func(p *setplanv1.Plan) protoreflect.ProtoMessage { return p.GetFence() },
		"stage": func(p *setplanv1.Plan) protoreflect.ProtoMessage { return p.GetStages()[0] },
		"step":  func(p *setplanv1.Plan) protoreflect.ProtoMessage { return p.GetStages()[0].GetSteps()[1] },
		"target": func(p *setplanv1.Plan) protoreflect.ProtoMessage {
			return p.GetStages()[0].GetSteps()[1].GetActions()[0].GetTarget()
		},
		"precondition": func(p *setplanv1.Plan) protoreflect.ProtoMessage {
			return p.GetStages()[0].GetSteps()[1].GetActions()[0].GetPrecondition()
		},
	} {
		plan := planOf(stage(replicas, stop, step(create("a")), step(create("b"))), stage(update, abort, step(create("c"))),
			always(stage(status, abort, step(create("s")))))
		for _, s := range plan.GetStages()[0].GetSteps() {
			for _, a := range s.GetActions() {
				a.Target, a.Precondition = &setplanv1.Target{Name: a.GetId()}, &setplanv1.Precondition{MustNotExist: true}
			}
		}
		newer(plan).ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 1000, protowire.VarintType), 1))
		w := newWorld(plan)
		_, err := reconcile(t, w.loop(adapters.Options{}))
		if !errors.Is(err, adapters.ErrUnknownGuard) {
			t.Errorf("%s: error %v", name, err)
		}
		want := []string{"planned", "fence", map[string]string{"stage": "a", "step": "b", "target": "b", "precondition": "b"}[name] + " unknown", "s"}
		if name == "fence" {
			want = []string{"planned", "held: fence"} // the set is not even read
		}
		if diff := cmp.Diff(want, w.take()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
