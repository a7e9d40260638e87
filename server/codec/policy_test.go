package codec

import (
	"errors"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func TestUnknownPolicyIsRefused(t *testing.T) {
	newer := &setplanv1.Policy{}
	newer.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 2, protowire.VarintType), 1))
	deeper := &setplanv1.Drain{}
	deeper.ProtoReflect().SetUnknown(newer.ProtoReflect().GetUnknown())
	for reason, test := range map[string]struct {
		policy *setplanv1.Policy
		want   UnsupportedPolicyError
	}{
		"a behavior of a newer contract": {&setplanv1.Policy{Behavior: 99},
			UnsupportedPolicyError{"snapshot.policy.behavior", "unknown value 99"}},
		"a field of a newer contract":        {newer, UnsupportedPolicyError{"snapshot.policy", "unknown field 2"}},
		"a field of a newer kind of a drain": {&setplanv1.Policy{Drain: deeper}, UnsupportedPolicyError{"snapshot.policy.drain", "unknown field 2"}},
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
