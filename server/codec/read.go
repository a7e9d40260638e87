package codec

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// pieceBytes is how much of a request is decoded between two looks at Limits.Stop: decoding the largest request takes a
// quarter of a second, and nothing stops proto.Unmarshal.
const pieceBytes = 16 << 10

// Read decodes a request that has passed Check. It must not read any other: only Check refuses what proto.Unmarshal refuses and
// the generated code does not, such as text that is not UTF-8. It returns ErrStopped once Limits.Stop says so.
func Read(data []byte, request *setplanv1.PlanRequest, limits Limits) error {
	proto.Reset(request)
	p := pieces{limits: &limits, bytes: pieceBytes}
	return p.message(data, request.ProtoReflect())
}

// pieces reads messages a few fields at a time, and merges them by the rules of the encoding.
type pieces struct {
	limits *Limits
	bytes  int
}

func (p *pieces) message(data []byte, m protoreflect.Message) error {
	fields := m.Descriptor().Fields()
	from := 0 // of what has not been read
	for at := 0; at < len(data); {
		number, kind, n := consumeTag(data[at:])
		if n < 0 {
			break // whoever reads the rest says what is wrong
		}
		value := at + n
		if kind == protowire.BytesType {
			_, n = consumeBytes(data[value:])
		} else {
			n = consumeOther(number, kind, data[value:])
		}
		if n < 0 {
			break
		}
		end := value + n
		if field := fields.ByNumber(number); n > p.bytes && kind == protowire.BytesType && isMessage(field) {
			if err := p.merge(data[from:at], m); err != nil {
				return err
			}
			inside, _ := consumeBytes(data[value:])
			if err := p.message(inside, below(m, field)); err != nil {
				return err
			}
			from = end
		} else if end-from >= p.bytes {
			if err := p.merge(data[from:end], m); err != nil {
				return err
			}
			from = end
		}
		at = end
	}
	return p.merge(data[from:], m)
}

func isMessage(field protoreflect.FieldDescriptor) bool {
	return field != nil && field.Message() != nil && !field.IsMap()
}

// below returns the message to read a field into: a list gets a new element.
func below(m protoreflect.Message, field protoreflect.FieldDescriptor) protoreflect.Message {
	inside := m.Mutable(field)
	if field.IsList() {
		return inside.List().AppendMutable().Message()
	}
	return inside.Message()
}

func (p *pieces) merge(data []byte, m protoreflect.Message) error {
	if p.limits.Stop != nil && p.limits.Stop() {
		return ErrStopped
	}
	into := m.Interface()
	if generated, ok := into.(interface{ UnmarshalVT(data []byte) error }); ok {
		return generated.UnmarshalVT(data)
	}
	return proto.UnmarshalOptions{Merge: true}.Unmarshal(data, into) // a timestamp
}
