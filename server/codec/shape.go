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
	requestShape      = (&shapes{known: map[protoreflect.FullName]*shape{}}).of(requestDescriptor)
)

type shapes struct {
	known    map[protoreflect.FullName]*shape
	counters int
}

func (s *shapes) of(message protoreflect.MessageDescriptor) *shape {
	if known := s.known[message.FullName()]; known != nil {
		return known
	}
	out := &shape{}
	s.known[message.FullName()] = out
	fields := message.Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		holdsBytes := field.Message() != nil || field.Kind() == protoreflect.StringKind || field.Kind() == protoreflect.BytesKind
		if !holdsBytes && !field.IsPacked() {
			continue
		}
		for int(field.Number()) >= len(out.fields) {
			out.fields = append(out.fields, nil)
		}
		out.fields[field.Number()] = s.field(out, field)
	}
	return out
}

func (s *shapes) field(of *shape, field protoreflect.FieldDescriptor) *fieldShape {
	f := &fieldShape{
		name:     string(field.Name()),
		repeated: field.Cardinality() == protoreflect.Repeated,
		isClaims: field.FullName() == "setplan.v1.Snapshot.claims",
		text:     field.Kind() == protoreflect.StringKind,
		packed:   field.IsPacked(),
		bound:    bounds[field.FullName()],
	}
	switch {
	case f.longest > 0:
	case named[field.Name()] > 0:
		f.longest = named[field.Name()]
	case f.text:
		f.longest = maxText
	default:
		f.longest = maxDocument
	}
	counter := func() int {
		if s.counters++; f.each {
			of.each = append(of.each, s.counters-1)
		}
		return s.counters - 1
	}
	if f.repeated {
		f.counter = counter()
	}
	if f.sum {
		f.bytes = counter()
	}
	if field.Message() != nil {
		f.message = s.of(field.Message())
	}
	return f
}
