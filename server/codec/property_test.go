package codec

import (
	"errors"
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// init: see engine/property_test.go.
func init() {
	for name, value := range map[string]string{"rapid.nofailfile": "true", "rapid.seed": "1"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
}

func TestDecodeNeverPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := &setplanv1.PlanRequest{}
		if rapid.Bool().Draw(t, "from a valid one") {
			in = request()
		}
		scribble(t, in.ProtoReflect(), 0)
		before := proto.CloneOf(in)

		got, err := Decode(in, Limits{})
		var invalid *InvalidError
		var unsupported *UnsupportedPolicyError
		if err != nil && !errors.As(err, &invalid) && !errors.As(err, &unsupported) {
			t.Fatalf("an error of no known type: %v", err)
		}
		if (err == nil) != (got != nil) {
			t.Fatalf("snapshot %v with error %v", got, err)
		}
		if !proto.Equal(before, in) {
			t.Fatal("decoding changed the request")
		}
		again, err2 := Decode(in, Limits{})
		if diff := cmp.Diff(got, again); diff != "" || (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
			t.Fatalf("decoding twice gave two results: %v, %v\n%s", err, err2, diff)
		}
	})
}

// scribble sets arbitrary fields to arbitrary values.
func scribble(t *rapid.T, m protoreflect.Message, depth int) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		if rapid.IntRange(0, 3).Draw(t, "touch") != 0 || depth > 5 {
			continue
		}
		switch {
		case field.IsMap():
			m.Clear(field)
		case field.IsList():
			list := m.Mutable(field).List()
			for range rapid.IntRange(0, 3).Draw(t, "elements") {
				if field.Kind() == protoreflect.MessageKind {
					scribble(t, list.AppendMutable().Message(), depth+1)
				} else {
					list.Append(scalar(t, field))
				}
			}
		case field.Kind() == protoreflect.MessageKind:
			scribble(t, m.Mutable(field).Message(), depth+1)
		default:
			m.Set(field, scalar(t, field))
		}
	}
}

func scalar(t *rapid.T, field protoreflect.FieldDescriptor) protoreflect.Value {
	switch field.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(rapid.Bool().Draw(t, "bool"))
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(rapid.SampledFrom([]string{"", "a", "web-0"}).Draw(t, "string"))
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(rapid.Int32Range(-2, 99).Draw(t, "enum")))
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(rapid.Int32().Draw(t, "int32"))
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(rapid.Int64().Draw(t, "int64"))
	case protoreflect.Uint32Kind:
		return protoreflect.ValueOfUint32(rapid.Uint32().Draw(t, "uint32"))
	}
	panic("the contract uses a kind that this test does not know: " + field.Kind().String())
}
