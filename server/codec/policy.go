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
}

// presetOf refuses whatever it does not understand: a policy of a newer contract may restrict what is deleted, and ignoring
// it would delete too much.
func presetOf(policy *setplanv1.Policy) (model.Rules, error) {
	if policy != nil {
		if err := checkKnown("snapshot.policy", policy.ProtoReflect()); err != nil {
			return model.Rules{}, err
		}
	}
	preset, ok := behaviors[policy.GetBehavior()]
	if !ok {
		return model.Rules{}, unknownValue("snapshot.policy.behavior", protoreflect.EnumNumber(policy.GetBehavior()))
	}
	return preset(), nil
}

// decodePolicy reads what the caller asks for. The engine's enums have the numbers of the contract, which checkKnown checks.
func decodePolicy(r *report, in *setplanv1.Policy) model.Policy {
	drain := in.GetDrain()
	if drain != nil && drain.MaxParallel != nil && *drain.MaxParallel < 1 {
		r.add("snapshot.policy.drain.max_parallel", "must be at least 1, is %d", *drain.MaxParallel)
	}
	out := model.Policy{Scope: model.Scope(in.GetScope()), Repair: model.Repair(in.GetRepair())}
	if drain != nil {
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

// checkKnown looks for fields and enum values that this build's contract does not have, at any depth.
func checkKnown(path string, m protoreflect.Message) error {
	if unknown := m.GetUnknown(); len(unknown) > 0 {
		return &UnsupportedPolicyError{Field: path, Reason: unknownFields(unknown)}
	}
	var err error
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		at := path + "." + string(field.Name())
		switch {
		case field.IsMap():
			value.Map().Range(func(key protoreflect.MapKey, v protoreflect.Value) bool {
				err = checkValue(fmt.Sprintf("%s[%.64q]", at, key.String()), field.MapValue(), v)
				return err == nil
			})
		case field.IsList():
			for i := 0; i < value.List().Len() && err == nil; i++ {
				err = checkValue(fmt.Sprintf("%s[%d]", at, i), field, value.List().Get(i))
			}
		default:
			err = checkValue(at, field, value)
		}
		return err == nil
	})
	return err
}

func checkValue(path string, field protoreflect.FieldDescriptor, value protoreflect.Value) error {
	switch field.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return checkKnown(path, value.Message())
	case protoreflect.EnumKind:
		if field.Enum().Values().ByNumber(value.Enum()) == nil {
			return unknownValue(path, value.Enum())
		}
	}
	return nil
}

func unknownValue(path string, number protoreflect.EnumNumber) error {
	return &UnsupportedPolicyError{Field: path, Reason: fmt.Sprintf("unknown value %d", number)}
}

// unknownFields names the first field of a message's unknown bytes, for example "unknown field 2".
func unknownFields(raw protoreflect.RawFields) string {
	number, _, n := protowire.ConsumeTag(raw)
	if n < 0 {
		return "unknown fields"
	}
	return fmt.Sprintf("unknown field %d", number)
}
