package codec

import (
	"google.golang.org/protobuf/reflect/protoreflect"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// shape is the part of a message's descriptor that Check needs: its fields that hold bytes, by number.
type shape struct {
	fields []*fieldShape
	each   []int // counters that begin anew with each message
}

type fieldShape struct {
	name     string
	repeated bool
	isClaims bool
	plain    bool   // one string or bytes, and not a list of them
	text     bool   // a string, or a list of them
	packed   bool   // numbers, which may also come one by one
	message  *shape // nil: a string, bytes, or packed numbers
	counter  int    // of its elements
	bytes    int    // of its bytes, where they are summed
	bound
}

// Room for a counter of every list of the contract, and for the longest path to a field. Every test fails if a new contract
// needs more.
const (
	maxCounted = 64
	maxWay     = 12
)

var (
	requestDescriptor = (&setplanv1.PlanRequest{}).ProtoReflect().Descriptor()
	snapshotField     = requestDescriptor.Fields().ByName("snapshot")
	snapshotNumber    = snapshotField.Number()
	podsField         = snapshotField.Message().Fields().ByName("pods")
	podsNumber        = podsField.Number()
	claimsField       = snapshotField.Message().Fields().ByName("claims")
	requestShape      = shapes{known: map[protoreflect.FullName]*shape{}}.of(requestDescriptor, new(int))
)

type shapes struct {
	known map[protoreflect.FullName]*shape
}

func (s shapes) of(message protoreflect.MessageDescriptor, counters *int) *shape {
	if known := s.known[message.FullName()]; known != nil {
		return known
	}
	out := &shape{}
	s.known[message.FullName()] = out
	fields := message.Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		f := newField(field, counters)
		if f.each {
			out.each = append(out.each, f.counter)
		}
		if f.each && f.sum {
			out.each = append(out.each, f.bytes)
		}
		switch field.Kind() {
		case protoreflect.MessageKind:
			f.message = s.of(field.Message(), counters)
		case protoreflect.StringKind, protoreflect.BytesKind:
			f.plain = !f.repeated
			f.text = field.Kind() == protoreflect.StringKind
		default:
			if !field.IsPacked() {
				continue
			}
			f.packed = true
		}
		for int(field.Number()) >= len(out.fields) {
			out.fields = append(out.fields, nil)
		}
		out.fields[field.Number()] = f
	}
	return out
}

func newField(field protoreflect.FieldDescriptor, counters *int) *fieldShape {
	f := &fieldShape{name: string(field.Name()), repeated: field.Cardinality() == protoreflect.Repeated, bound: bounds[field.FullName()],
		isClaims: field.FullName() == "setplan.v1.Snapshot.claims"}
	switch {
	case f.longest > 0:
	case field.Kind() == protoreflect.StringKind:
		f.longest = maxText
	default:
		f.longest = maxDocument
	}
	if f.repeated {
		f.counter = *counters
		*counters++
	}
	if f.sum {
		f.bytes = *counters
		*counters++
	}
	return f
}
