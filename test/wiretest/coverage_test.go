package wiretest

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/anypb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestFixturesCoverTheContract walks the contract as it is now and wants every message, every field with a value in it, and every enum
// value in at least one fixture. It is what asks for a fixture when the contract grows.
func TestFixturesCoverTheContract(t *testing.T) {
	seen, fresh := covered{}, covered{}
	for _, name := range frozen(t) {
		seen.message(messageOf(t, name).ProtoReflect())
	}
	for _, message := range everything() {
		fresh.message(message.ProtoReflect())
	}
	forEachName(func(name protoreflect.FullName) {
		switch {
		case !fresh[name]:
			t.Errorf("everything() makes no message with %s", name)
		case !seen[name]:
			t.Errorf("no fixture has %s: 'make rewrite WHAT=fixtures RELEASE=v0.2.0', with the coming release", name)
		}
	})
}

// covered holds the names of the messages, the fields and the enum values that
// were met.
type covered map[protoreflect.FullName]bool

func (c covered) message(m protoreflect.Message) {
	c[m.Descriptor().FullName()] = true
	switch m := m.Interface().(type) {
	case *anypb.Any:
		if inner, err := m.UnmarshalNew(); err == nil {
			c.message(inner.ProtoReflect())
		}
	case *errdetails.ErrorInfo:
		c.errorReason(m)
	}
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		c[field.FullName()] = true
		switch {
		case zeroTells(field) && value.Equal(field.Default()):
			c[asZero(field)] = true
		case field.IsMap():
			value.Map().Range(func(_ protoreflect.MapKey, value protoreflect.Value) bool {
				c.value(field.MapValue(), value)
				return true
			})
		case field.IsList():
			for i := range value.List().Len() {
				c.value(field, value.List().Get(i))
			}
		default:
			c.value(field, value)
		}
		return true
	})
}

// zeroTells reports whether a field that is set to zero says something else than one that is not set.
func zeroTells(field protoreflect.FieldDescriptor) bool {
	return field.HasPresence() && field.Message() == nil
}

// asZero is what covered calls the zero of such a field.
func asZero(field protoreflect.FieldDescriptor) protoreflect.FullName {
	return field.FullName() + " set to zero"
}

func (c covered) value(field protoreflect.FieldDescriptor, value protoreflect.Value) {
	switch {
	case field.Message() != nil:
		c.message(value.Message())
	case field.Enum() != nil:
		if known := field.Enum().Values().ByNumber(value.Enum()); known != nil {
			c[known.FullName()] = true
		}
	}
}

// errorReason takes the one enum that travels by name.
func (c covered) errorReason(info *errdetails.ErrorInfo) {
	values := setplanv1.ErrorReason(0).Descriptor().Values()
	if known := values.ByName(protoreflect.Name("ERROR_REASON_" + info.GetReason())); known != nil {
		c[known.FullName()] = true
	}
}

// forEachName calls f for all that a fixture can show: not for the zero value of
// an enum, which is what an unset field means.
func forEachName(f func(protoreflect.FullName)) {
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		if strings.HasPrefix(string(file.Package()), "setplan.") {
			forEachEnumValue(file.Enums(), f)
			forEachField(file.Messages(), f)
		}
		return true
	})
}

func forEachField(messages protoreflect.MessageDescriptors, f func(protoreflect.FullName)) {
	for i := range messages.Len() {
		message := messages.Get(i)
		if message.IsMapEntry() {
			continue
		}
		f(message.FullName())
		for j := range message.Fields().Len() {
			field := message.Fields().Get(j)
			f(field.FullName())
			if zeroTells(field) && field.ContainingOneof() != nil && field.ContainingOneof().IsSynthetic() {
				f(asZero(field))
			}
		}
		forEachEnumValue(message.Enums(), f)
		forEachField(message.Messages(), f)
	}
}

func forEachEnumValue(enums protoreflect.EnumDescriptors, f func(protoreflect.FullName)) {
	for i := range enums.Len() {
		values := enums.Get(i).Values()
		for j := range values.Len() {
			if values.Get(j).Number() != 0 {
				f(values.Get(j).FullName())
			}
		}
	}
}

// TestCoverageBites shows that the walk above misses neither a field nor an enum
// value that fixtures lack.
func TestCoverageBites(t *testing.T) {
	seen := covered{}
	seen.message((&setplanv1.PlanRequest{Snapshot: &setplanv1.Snapshot{
		Pods: []*setplanv1.Pod{{Name: "web-0", Phase: setplanv1.PodPhase_POD_PHASE_RUNNING}},
	}}).ProtoReflect())
	var missing []protoreflect.FullName
	forEachName(func(name protoreflect.FullName) {
		if !seen[name] {
			missing = append(missing, name)
		}
	})
	for name, reason := range map[protoreflect.FullName]string{
		"setplan.v1.Pod.uid":                         "the field has no value",
		"setplan.v1.POD_PHASE_FAILED":                "the enum value is in no pod",
		"setplan.v1.Claim":                           "the message is nowhere",
		"setplan.v1.ERROR_REASON_DRAINING":           "no status has the reason",
		"setplan.v1.IntOrPercent.percent":            "the member of a oneof is nowhere",
		proto.MessageName(&setplanv1.PlanResponse{}): "the top-level message is nowhere",
	} {
		if !slices.Contains(missing, name) {
			t.Errorf("%s counts as covered, although %s", name, reason)
		}
	}
	for _, name := range []protoreflect.FullName{"setplan.v1.Pod.name", "setplan.v1.POD_PHASE_RUNNING", "setplan.v1.Pod"} {
		if slices.Contains(missing, name) {
			t.Errorf("%s counts as missing, although a pod has it", name)
		}
	}
}
