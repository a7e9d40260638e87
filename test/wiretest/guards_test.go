package wiretest

import (
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// firstRelease stands for a field that every adapter knows.
const firstRelease = setplanv1.Capability_CAPABILITY_UNSPECIFIED

// guards has every field that says when to write, with the capability that an adapter lists if it knows the field. One
// that an adapter does not know it would ignore, and write what nobody planned (SPEC.md, P12 and A21).
var guards = map[protoreflect.FullName]setplanv1.Capability{
	"setplan.v1.Fence.set_uid":                 firstRelease,
	"setplan.v1.Fence.generation":              firstRelease,
	"setplan.v1.Fence.max_age":                 firstRelease,
	"setplan.v1.Stage.phase":                   firstRelease,
	"setplan.v1.Stage.steps":                   firstRelease,
	"setplan.v1.Stage.on_failure":              firstRelease,
	"setplan.v1.Stage.always_run":              firstRelease,
	"setplan.v1.Stage.requires_live_set":       firstRelease,
	"setplan.v1.Step.actions":                  firstRelease,
	"setplan.v1.Target.kind":                   firstRelease,
	"setplan.v1.Target.namespace":              firstRelease,
	"setplan.v1.Target.name":                   firstRelease,
	"setplan.v1.Precondition.must_not_exist":   firstRelease,
	"setplan.v1.Precondition.uid":              firstRelease,
	"setplan.v1.Precondition.resource_version": firstRelease,
}

// guardsOfFirstRelease is how many fields may do without a capability: those above, and never another.
const guardsOfFirstRelease = 15

// TestGuardsHaveCapabilities asks whoever adds a field that says when to write for the capability that goes with it.
func TestGuardsHaveCapabilities(t *testing.T) {
	early := 0
	for _, message := range []interface{ ProtoReflect() protoreflect.Message }{
		&setplanv1.Fence{}, &setplanv1.Stage{}, &setplanv1.Step{}, &setplanv1.Target{}, &setplanv1.Precondition{},
	} {
		fields := message.ProtoReflect().Descriptor().Fields()
		for i := range fields.Len() {
			name := fields.Get(i).FullName()
			capability, named := guards[name]
			switch {
			case !named:
				t.Errorf("%s names no capability: an adapter of an earlier release would ignore it and write all the same", name)
			case capability == firstRelease:
				early++
			case capability.Descriptor().Values().ByNumber(capability.Number()) == nil:
				t.Errorf("%s names capability %d, which the contract does not have", name, capability)
			}
		}
	}
	if early != guardsOfFirstRelease {
		t.Errorf("%d fields call themselves those of the first release, which had %d", early, guardsOfFirstRelease)
	}
}
