package skew

import (
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// SetFields sets the field that a later contract has in a message and in all messages within it, but for those with one of these names.
func SetFields(message protoreflect.Message, but ...protoreflect.Name) {
	visit(message, func(m protoreflect.Message) {
		if !slices.Contains(but, m.Descriptor().Name()) {
			SetField(m)
		}
	})
}

// SetField sets it in this message alone.
func SetField(message protoreflect.Message) {
	if later := message.Descriptor().Fields().ByNumber(field); later != nil {
		message.Set(later, protoreflect.ValueOfString("A later release says this."))
	}
}

// SetValues gives each enum in a message, and in those within it, the value that a later contract has, but for messages with these names.
func SetValues(message protoreflect.Message, but ...protoreflect.Name) {
	visit(message, func(m protoreflect.Message) {
		if slices.Contains(but, m.Descriptor().Name()) {
			return
		}
		fields := m.Descriptor().Fields()
		for i := range fields.Len() {
			if f := fields.Get(i); f.Enum() != nil && !f.IsList() {
				m.Set(f, protoreflect.ValueOfEnum(value))
			}
		}
	})
}

// SetOperation replaces the operation of an action.
func SetOperation(action protoreflect.Message) {
	later := action.Descriptor().Fields().ByNumber(operation)
	action.Set(later, action.NewField(later))
}

// AddCapability lists the capability for it.
func AddCapability(request protoreflect.Message) {
	capabilities := request.Mutable(request.Descriptor().Fields().ByName("capabilities")).List()
	capabilities.Append(protoreflect.ValueOfEnum(value))
}

// At is the message at a path of fields; of a list, its last element.
func At(message protoreflect.Message, path ...protoreflect.Name) protoreflect.Message {
	for _, name := range path {
		f := message.Descriptor().Fields().ByName(name)
		if v := message.Mutable(f); f.IsList() {
			message = v.List().Get(v.List().Len() - 1).Message()
		} else {
			message = v.Message()
		}
	}
	return message
}

// visit calls see for a message and for all within it.
func visit(message protoreflect.Message, see func(protoreflect.Message)) {
	message.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Message() == nil || f.IsMap():
		case f.IsList():
			for i := range v.List().Len() {
				visit(v.List().Get(i).Message(), see)
			}
		default:
			visit(v.Message(), see)
		}
		return true
	})
	see(message)
}
