package codec

import (
	"reflect"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// unread are the fields of a request that the planner ignores, and why.
var unread = map[protoreflect.FullName]string{
	"setplan.v1.Coverage.pods_version":      "for whoever reads a recorded snapshot",
	"setplan.v1.Coverage.claims_version":    "likewise",
	"setplan.v1.Coverage.revisions_version": "likewise",
}

// TestEveryFieldArrives changes each field of a request that has all of them. Each change gives the engine another snapshot, or the
// request is refused. The test finds new fields of the contract by itself.
func TestEveryFieldArrives(t *testing.T) {
	request := &setplanv1.PlanRequest{Snapshot: &setplanv1.Snapshot{}, Capabilities: Capabilities()}
	fill(request.Snapshot.ProtoReflect())
	before, err := Decode(request, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	eachField(request.Snapshot.ProtoReflect(), func(m protoreflect.Message, field protoreflect.FieldDescriptor) {
		was := proto.Clone(m.Interface()).ProtoReflect().Get(field) // a list of m itself would change with it
		change(m, field)
		after, err := Decode(request, Limits{})
		arrives := err != nil || !reflect.DeepEqual(before, after)
		m.Clear(field)
		m.Set(field, was)
		changed++
		if reason, known := unread[field.FullName()]; arrives == known {
			t.Errorf("%s: arrives: %t, and is not to be read: %q", field.FullName(), arrives, reason)
		}
	})
	if again, err := Decode(request, Limits{}); err != nil || !reflect.DeepEqual(before, again) {
		t.Errorf("the request is not what it was before: %v", err)
	}
	if changed < 80 {
		t.Errorf("only %d fields were changed", changed)
	}
}

// fill gives every field a value that is not its default, and every list and map one element. In tables the empty entry comes
// before it.
func fill(m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		if one := field.ContainingOneof(); one != nil && m.WhichOneof(one) != nil {
			continue
		}
		switch {
		case field.IsMap():
			m.Mutable(field).Map().Set(protoreflect.ValueOfString(keyIn(field)).MapKey(), protoreflect.ValueOfString("v"))
		case field.IsList() && field.Message() != nil:
			begin(m, m.Mutable(field).List())
			fill(m.Mutable(field).List().AppendMutable().Message())
		case field.IsList():
			begin(m, m.Mutable(field).List())
			m.Mutable(field).List().Append(sample(field, 1))
		case field.Message() != nil:
			fill(m.Mutable(field).Message())
		default:
			m.Set(field, sample(field, 1))
		}
	}
}

// keyIn is a key that the engine reads. Of the resources of a container it reads two.
func keyIn(field protoreflect.FieldDescriptor) string {
	if field.Parent().FullName() == "setplan.v1.ContainerResources" {
		return memory
	}
	return "k"
}

// begin gives a table the entry at index 0.
func begin(m protoreflect.Message, list protoreflect.List) {
	if _, table := m.Interface().(*setplanv1.Tables); table {
		list.Append(list.NewElement())
	}
}

// eachField visits all fields that are not messages, in a message and those below it.
func eachField(m protoreflect.Message, visit func(protoreflect.Message, protoreflect.FieldDescriptor)) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		switch field := fields.Get(i); {
		case !m.Has(field): // the other member of a oneof
		case field.IsMap() || field.Message() == nil:
			visit(m, field)
		case field.IsList():
			list := m.Mutable(field).List()
			eachField(list.Get(list.Len()-1).Message(), visit)
		default:
			eachField(m.Mutable(field).Message(), visit)
		}
	}
}

// change gives a field another value; for an index that is none. It makes new maps and lists, because snapshots share them
// with the request.
func change(m protoreflect.Message, field protoreflect.FieldDescriptor) {
	value := sample(field, 2)
	switch {
	case field.IsMap():
		value = m.NewField(field)
		value.Map().Set(protoreflect.ValueOfString("k2").MapKey(), protoreflect.ValueOfString("v"))
	case field.IsList():
		element := value
		value = m.NewField(field)
		begin(m, value.List())
		value.List().Append(element)
	}
	m.Clear(field) // otherwise an optional number would change in place, and snapshots share it
	m.Set(field, value)
}

// sample is the first or the second value of a kind.
func sample(field protoreflect.FieldDescriptor, n int) protoreflect.Value {
	switch field.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(n == 1)
	case protoreflect.StringKind:
		return protoreflect.ValueOfString([]string{"", "a", "b"}[n])
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte([]string{"", "{}", "[]"}[n]))
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(n))
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(int32(n))
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(int64(n))
	case protoreflect.MessageKind: // a map is one too
		return protoreflect.Value{}
	case protoreflect.Uint32Kind: // a table's index: its second entry, or none
		return protoreflect.ValueOfUint32(uint32(2 - n))
	}
	panic("no sample of " + field.Kind().String())
}
