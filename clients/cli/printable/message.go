package printable

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Message is a message of the contract with every string of it as Line has it; bytes stay as they are. One that is safe
// already, as nearly all are, comes back itself. Keys of maps are strings that only the planner makes up; they are
// made safe as well, and of two that become the same one is lost.
func Message[M proto.Message](message M) M {
	if isPrintable(message) {
		return message
	}
	message = proto.CloneOf(message)
	clean(message.ProtoReflect())
	return message
}

func isPrintable(message proto.Message) bool {
	safe := true
	_ = protorange.Range(message.ProtoReflect(), func(values protopath.Values) error {
		step := values.Index(-1)
		if text, is := step.Value.Interface().(string); is && Line(text) != text {
			safe = false
		}
		if step.Step.Kind() == protopath.MapIndexStep {
			if key, is := step.Step.MapIndex().Interface().(string); is && Line(key) != key {
				safe = false
			}
		}
		if !safe {
			return protorange.Terminate
		}
		return nil
	})
	return safe
}

func clean(m protoreflect.Message) {
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case field.IsMap():
			cleanMap(field, value.Map())
		case field.IsList():
			list := value.List()
			for i := range list.Len() {
				list.Set(i, cleaned(field, list.Get(i)))
			}
		default:
			m.Set(field, cleaned(field, value))
		}
		return true
	})
}

func cleanMap(field protoreflect.FieldDescriptor, entries protoreflect.Map) {
	renamed := map[string]protoreflect.Value{}
	entries.Range(func(key protoreflect.MapKey, value protoreflect.Value) bool {
		value = cleaned(field.MapValue(), value)
		if name, is := key.Interface().(string); is && Line(name) != name {
			renamed[Line(name)] = value
			entries.Clear(key)
			return true
		}
		entries.Set(key, value)
		return true
	})
	for name, value := range renamed {
		entries.Set(protoreflect.ValueOfString(name).MapKey(), value)
	}
}

func cleaned(field protoreflect.FieldDescriptor, value protoreflect.Value) protoreflect.Value {
	switch field.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(Line(value.String()))
	case protoreflect.MessageKind:
		clean(value.Message())
	}
	return value
}
