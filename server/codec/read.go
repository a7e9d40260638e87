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
//
// Strings and bytes of the request are parts of data. So nobody may change data as long as the request, or what Decode makes of it,
// is in use.
func Read(data []byte, request *setplanv1.PlanRequest, limits Limits) error {
	proto.Reset(request)
	p := pieces{limits: &limits, bytes: pieceBytes, memory: limits.memory()}
	return p.message(data, request.ProtoReflect())
}

// pieces reads messages a few fields at a time, and merges them by the rules of the encoding.
type pieces struct {
	limits *Limits
	bytes  int
	unseen int // bytes of elements since the last look at Stop
	memory *Memory
}

// generated is what the generated code can read. The strings that it reads are parts of the data.
type generated interface {
	proto.Message
	UnmarshalVTUnsafe(data []byte) error
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
		field := fields.ByNumber(number)
		if kind == protowire.BytesType && p.alone(field, n) {
			if err := p.merge(data[from:at], m); err != nil {
				return err
			}
			inside, _ := consumeBytes(data[value:])
			if err := p.element(inside, p.below(m, field)); err != nil {
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

// alone reports whether a field is a message that is read by itself: it is large, or there is memory for it or for what is in it.
func (p *pieces) alone(field protoreflect.FieldDescriptor, bytes int) bool {
	if field == nil || field.Message() == nil || field.IsMap() {
		return false
	}
	return bytes > p.bytes || field == snapshotField || field == podsField || field == claimsField
}

// below returns the message to read a field into: a list gets a new element.
func (p *pieces) below(m protoreflect.Message, field protoreflect.FieldDescriptor) proto.Message {
	switch field {
	case podsField:
		pod, snapshot := p.memory.podMessages.next(), m.Interface().(*setplanv1.Snapshot)
		snapshot.Pods = append(snapshot.Pods, pod)
		return pod
	case claimsField:
		claim, snapshot := p.memory.claimMessages.next(), m.Interface().(*setplanv1.Snapshot)
		snapshot.Claims = append(snapshot.Claims, claim)
		return claim
	}
	inside := m.Mutable(field)
	if field.IsList() {
		return inside.List().AppendMutable().Message().Interface()
	}
	return inside.Message().Interface()
}

// element reads a message that is a field of another one.
func (p *pieces) element(data []byte, into proto.Message) error {
	if _, lists := into.(*setplanv1.Snapshot); lists || len(data) > p.bytes {
		return p.message(data, into.ProtoReflect())
	}
	if p.unseen += len(data); p.unseen < p.bytes {
		return unmarshal(data, into)
	}
	p.unseen = 0
	return p.merge(data, into.ProtoReflect())
}

func (p *pieces) merge(data []byte, m protoreflect.Message) error {
	if len(data) == 0 {
		return nil
	}
	if p.limits.Stop != nil && p.limits.Stop() {
		return ErrStopped
	}
	return unmarshal(data, m.Interface())
}

func unmarshal(data []byte, into proto.Message) error {
	if fast, ok := into.(generated); ok {
		return fast.UnmarshalVTUnsafe(data)
	}
	return proto.UnmarshalOptions{Merge: true}.Unmarshal(data, into) // a timestamp
}
