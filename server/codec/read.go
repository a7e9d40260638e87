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
	p := pieces{stop: limits.Stop, bytes: pieceBytes, memory: limits.memory()}
	return p.message(data, request)
}

// pieces reads messages a few fields at a time, and merges them by the rules of the encoding.
type pieces struct {
	stop   func() bool // Limits.Stop
	bytes  int
	unseen int // bytes since the last look at it
	memory *Memory
}

// generated is what the generated code can read and write, where it is built: see proto/tools/generate.sh. The strings that it reads are
// parts of the data.
type generated interface {
	UnmarshalVTUnsafe(data []byte) error
	MarshalVT() ([]byte, error)
}

func (p *pieces) message(data []byte, into proto.Message) error {
	m := into.ProtoReflect()
	fields := m.Descriptor().Fields()
	from := 0 // of what has not been read
	for at := 0; at < len(data); {
		number, kind, value, n := takeField(data[at:])
		if n < 0 {
			break // whoever reads the rest says what is wrong
		}
		end := at + n
		if field := fields.ByNumber(number); kind == protowire.BytesType && p.alone(field, len(value)) {
			if err := p.merge(data[from:at], into); err != nil {
				return err
			}
			inside, read := p.below(m, field), p.merge
			if _, lists := inside.(*setplanv1.Snapshot); lists || len(value) > p.bytes {
				read = p.message
			}
			if err := read(value, inside); err != nil {
				return err
			}
			from = end
		} else if end-from >= p.bytes {
			if err := p.merge(data[from:end], into); err != nil {
				return err
			}
			from = end
		}
		at = end
	}
	return p.merge(data[from:], into)
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

func (p *pieces) merge(data []byte, into proto.Message) error {
	if p.unseen += len(data); p.unseen >= p.bytes {
		p.unseen = 0
		if p.stop != nil && p.stop() {
			return ErrStopped
		}
	}
	if fast, ok := into.(generated); ok {
		return fast.UnmarshalVTUnsafe(data)
	}
	return proto.UnmarshalOptions{Merge: true}.Unmarshal(data, into) // a timestamp
}

func marshal(m proto.Message) ([]byte, error) {
	if fast, ok := m.(generated); ok {
		return fast.MarshalVT()
	}
	return proto.Marshal(m)
}
