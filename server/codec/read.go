package codec

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// pieceBytes is how much of a request is made into messages between two looks at Limits.Stop: a message of the largest
// request takes a quarter of a second, and nothing stops proto.Unmarshal.
const pieceBytes = 16 << 10

// Read makes a request of bytes that Check has let pass, and of no others: what proto.Unmarshal refuses and the generated code
// does not, such as text that is not UTF-8, Check has refused before. It looks at Limits.Stop and then returns ErrStopped.
func Read(data []byte, request *setplanv1.PlanRequest, limits Limits) error {
	proto.Reset(request)
	p := pieces{limits: &limits, bytes: pieceBytes}
	return p.message(data, request.ProtoReflect())
}

// pieces reads messages some fields at a time: those that were read are merged with those that follow, by the rules of the
// encoding.
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

// below is where a message in a field goes: a list gets one more.
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
