package codec

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func TestUnknownPolicyIsRefused(t *testing.T) {
	newer := &setplanv1.Policy{}
	newer.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 15, protowire.VarintType), 1))
	deeper := &setplanv1.DrainPolicy{}
	deeper.ProtoReflect().SetUnknown(newer.ProtoReflect().GetUnknown())
	for reason, test := range map[string]struct {
		policy *setplanv1.Policy
		want   UnsupportedPolicyError
	}{
		"a behavior of a newer contract": {&setplanv1.Policy{Behavior: 99},
			UnsupportedPolicyError{"snapshot.policy.behavior", "unknown value 99"}},
		"a scope of a newer contract": {&setplanv1.Policy{Scope: 9}, UnsupportedPolicyError{"snapshot.policy.scope", "unknown value 9"}},
		"a proof of a newer contract": {&setplanv1.Policy{Drain: &setplanv1.DrainPolicy{Proof: 9}},
			UnsupportedPolicyError{"snapshot.policy.drain.proof", "unknown value 9"}},
		"a field of a newer contract":        {newer, UnsupportedPolicyError{"snapshot.policy", "unknown field 15"}},
		"a field of a newer kind of a drain": {&setplanv1.Policy{Drain: deeper}, UnsupportedPolicyError{"snapshot.policy.drain", "unknown field 15"}},
	} {
		in := request()
		in.Snapshot.Policy = test.policy
		in.Snapshot.Set = nil // refused before anything is said about the rest
		_, err := Decode(in, Limits{})
		var unsupported *UnsupportedPolicyError
		if !errors.As(err, &unsupported) || *unsupported != test.want {
			t.Errorf("%s: err = %v, want %v", reason, err, &test.want)
		}
	}
}

func TestEveryBehaviorHasAPreset(t *testing.T) {
	for number, name := range setplanv1.Behavior_name {
		if behaviors[setplanv1.Behavior(number)] == nil {
			t.Errorf("%s has no preset: the codec forgot it", name)
		}
	}
	if got, want := len(Behaviors()), len(setplanv1.Behavior_name)-1; got != want {
		t.Errorf("Behaviors lists %d, the contract has %d", got, want)
	}
}

// TestEveryPolicyFieldIsRead: whatever a caller sets in a policy reaches the engine. The test finds new fields by itself.
func TestEveryPolicyFieldIsRead(t *testing.T) {
	var walk func(path string, of protoreflect.MessageDescriptor, set func(*setplanv1.Policy) protoreflect.Message)
	walk = func(path string, of protoreflect.MessageDescriptor, set func(*setplanv1.Policy) protoreflect.Message) {
		for i := range of.Fields().Len() {
			field := of.Fields().Get(i)
			at := path + "." + string(field.Name())
			if field.Message() != nil {
				walk(at, field.Message(), func(p *setplanv1.Policy) protoreflect.Message { return set(p).Mutable(field).Message() })
				continue
			}
			decoded := func(value protoreflect.Value) *model.Snapshot {
				in := request()
				in.Snapshot.Policy = &setplanv1.Policy{}
				if value.IsValid() {
					set(in.Snapshot.Policy).Set(field, value)
				}
				out, err := Decode(in, Limits{})
				if err != nil {
					t.Fatalf("%s: %v", at, err)
				}
				return out
			}
			unset := decoded(protoreflect.Value{})
			for _, value := range policyValues(field) {
				if cmp.Equal(unset, decoded(value)) {
					t.Errorf("%s is %v, but is not read", at, value)
				}
			}
		}
	}
	walk("policy", (&setplanv1.Policy{}).ProtoReflect().Descriptor(), (*setplanv1.Policy).ProtoReflect)
}

// policyValues are values that differ from an unset field. With presence, false and empty are such values, too.
func policyValues(field protoreflect.FieldDescriptor) (values []protoreflect.Value) {
	switch field.Kind() {
	case protoreflect.EnumKind:
		for n := protoreflect.EnumNumber(1); int(n) < field.Enum().Values().Len(); n++ {
			if field.Enum().Name() != "Behavior" || n != 1 { // the default
				values = append(values, protoreflect.ValueOfEnum(n))
			}
		}
	case protoreflect.BoolKind:
		values = append(values, protoreflect.ValueOfBool(false), protoreflect.ValueOfBool(true))
	case protoreflect.BytesKind:
		values = append(values, protoreflect.ValueOfBytes([]byte{}), protoreflect.ValueOfBytes([]byte("{}")))
	case protoreflect.Int32Kind:
		values = append(values, protoreflect.ValueOfInt32(1))
	}
	if len(values) == 0 {
		panic("no value for " + field.FullName())
	}
	return values
}
