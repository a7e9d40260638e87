package codec

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// behaviors maps each behavior of the contract to its preset of rules.
var behaviors = map[setplanv1.Behavior]func() model.Rules{
	setplanv1.Behavior_BEHAVIOR_UNSPECIFIED:     model.Setplan,
	setplanv1.Behavior_BEHAVIOR_SETPLAN:         model.Setplan,
	setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36: model.Kubernetes136,
	setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_37: model.Kubernetes137,
}

// presetOf refuses whatever it does not understand: a policy of a newer contract may restrict what is deleted, and ignoring
// it would delete too much.
func presetOf(policy *setplanv1.Policy) (model.Rules, error) {
	if policy != nil {
		if err := checkKnown("snapshot.policy", policy.ProtoReflect()); err != nil {
			return model.Rules{}, err
		}
	}
	return behaviors[policy.GetBehavior()](), nil
}

// decodePolicy reads what the caller asks for. The engine's enums have the numbers of the contract, which checkKnown checks.
func decodePolicy(r *report, in *setplanv1.Policy) model.Policy {
	out := model.Policy{Scope: model.Scope(in.GetScope()), Repair: model.Repair(in.GetRepair())}
	if drain := in.GetDrain(); drain != nil {
		if drain.MaxParallel != nil && *drain.MaxParallel < 1 {
			r.add("snapshot.policy.drain.max_parallel", "must be at least 1, is %d", *drain.MaxParallel)
		}
		out.Drain = model.DrainPolicy{
			PodTemplate: drain.PodTemplate,
			ScaleUp:     model.DrainScaleUp(drain.GetScaleUp()),
			MaxParallel: drain.GetMaxParallel(),
			Leftovers:   drain.Leftovers,
			OnDelete:    drain.OnDelete,
			Ask:         drain.Ask,
			Proof:       model.DrainProof(drain.GetProof()),
		}
	}
	return out
}

// checkKnown looks for fields and enum values that this build's contract does not have, at any depth. A policy has no lists or maps.
func checkKnown(path string, m protoreflect.Message) error {
	if unknown := m.GetUnknown(); len(unknown) > 0 {
		number, _, _ := protowire.ConsumeTag(unknown)
		return &UnsupportedPolicyError{Field: path, Reason: fmt.Sprintf("unknown field %d", number)}
	}
	var err error
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		at := path + "." + string(field.Name())
		if field.Message() != nil {
			err = checkKnown(at, value.Message())
		} else if field.Enum() != nil && field.Enum().Values().ByNumber(value.Enum()) == nil {
			err = &UnsupportedPolicyError{Field: at, Reason: fmt.Sprintf("unknown value %d", value.Enum())}
		}
		return err == nil
	})
	return err
}
