package wiretest

import (
	"fmt"
	"maps"
	"slices"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// kinds are the messages that travel by themselves, by the name that fixtures have.
var kinds = map[string]proto.Message{
	"plan-request":         &setplanv1.PlanRequest{},
	"plan-response":        &setplanv1.PlanResponse{},
	"server-info-request":  &setplanv1.GetServerInfoRequest{},
	"server-info-response": &setplanv1.GetServerInfoResponse{},
	"forecast-request":     &setplanv1.ForecastRequest{},
	"forecast-response":    &setplanv1.ForecastResponse{},
	"error":                &status.Status{},
}

// everything makes messages that together have each field, each member of a oneof and each value of an enum in them, and each field
// whose presence says something with a zero as well. The contract is read by reflection, so whatever it gains is in them.
func everything() map[string]proto.Message {
	all := map[string]proto.Message{"error": everyError()}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		if kind == "error" {
			continue
		}
		empty := kinds[kind].ProtoReflect()
		for variant := range variants(empty.Descriptor()) {
			m := empty.New()
			every{variant: variant, full: variant == 0}.fill(m)
			all[fmt.Sprintf("%s-%d", kind, variant+1)] = m.Interface()
		}
		m := empty.New()
		every{zeros: true}.fill(m)
		all[kind+"-zeros"] = m.Interface()
	}
	return all
}

// every fills a message. A list of messages in a full one has as many elements as it takes for each enum value to be in one of them.
type every struct {
	variant int
	full    bool
	zeros   bool // fields with presence are set, and zero
}

func (e every) fill(m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		if group := field.ContainingOneof(); group != nil && !group.IsSynthetic() && group.Fields().Get(e.variant%group.Fields().Len()) != field {
			continue
		}
		switch {
		case field.IsMap():
			e.entries(m.Mutable(field).Map(), field)
		case field.IsList():
			e.elements(m.Mutable(field).List(), field)
		case field.Message() != nil:
			e.fill(m.Mutable(field).Message())
		default:
			m.Set(field, e.value(field, e.variant))
		}
	}
}

func (e every) entries(entries protoreflect.Map, field protoreflect.FieldDescriptor) {
	for i := range 2 {
		key := e.value(field.MapKey(), i).MapKey()
		if field.MapValue().Message() != nil {
			e.fill(entries.Mutable(key).Message())
			continue
		}
		entries.Set(key, e.value(field.MapValue(), i))
	}
}

func (e every) elements(list protoreflect.List, field protoreflect.FieldDescriptor) {
	switch {
	case field.Message() == nil:
		n := 2
		if field.Enum() != nil {
			n = field.Enum().Values().Len() - 1
		}
		for i := range n {
			list.Append(e.value(field, i))
		}
	default:
		n := 1
		if e.full {
			n = variants(field.Message())
		}
		for i := range n {
			every{variant: e.variant + i, full: e.full && i == 0, zeros: e.zeros}.fill(list.AppendMutable().Message())
		}
	}
}

// value differs from field to field and from variant to variant.
func (e every) value(field protoreflect.FieldDescriptor, variant int) protoreflect.Value {
	if e.zeros && field.HasPresence() {
		return field.Default()
	}
	number := int64(field.Number())*1000 + int64(variant) + 1
	switch field.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(field.Enum().Values().Get(1 + variant%(field.Enum().Values().Len()-1)).Number())
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(int32(number))
	case protoreflect.Int64Kind:
		if field.ContainingMessage().ParentFile().Package() == "google.protobuf" {
			return protoreflect.ValueOfInt64(number) // seconds, which have bounds
		}
		return protoreflect.ValueOfInt64(number<<42 + 1) // more than JSON's numbers can tell apart
	case protoreflect.Uint32Kind:
		return protoreflect.ValueOfUint32(uint32(number))
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(fmt.Sprintf("%s-%d-é", field.Name(), variant))
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(fmt.Appendf(nil, "%s-%d-\xff", field.Name(), variant))
	}
	panic(fmt.Sprintf("%s is of kind %v, which no field of the contract had when this was written: give it a value here", field.FullName(), field.Kind()))
}

// variants is how many messages of a kind it takes to show every value of their enums and every member of their oneofs.
func variants(d protoreflect.MessageDescriptor) int {
	n := 1
	for i := range d.Oneofs().Len() {
		members, inside := d.Oneofs().Get(i).Fields(), 1
		for j := range members.Len() {
			if message := members.Get(j).Message(); message != nil {
				inside = max(inside, variants(message))
			}
		}
		n = max(n, members.Len()*inside) // each member in turn, with another inside each time
	}
	for i := range d.Fields().Len() {
		switch field := d.Fields().Get(i); {
		case field.Cardinality() == protoreflect.Repeated:
		case field.Enum() != nil:
			n = max(n, field.Enum().Values().Len()-1)
		case field.Message() != nil:
			n = max(n, variants(field.Message()))
		}
	}
	return n
}

// everyError has every reason. A reason travels by name.
func everyError() proto.Message {
	result := &status.Status{Code: int32(code.Code_INVALID_ARGUMENT), Message: "one of each"}
	add := func(detail proto.Message) {
		packed, err := anypb.New(detail)
		if err != nil {
			panic(err)
		}
		result.Details = append(result.Details, packed)
	}
	reasons := setplanv1.ErrorReason(0).Descriptor().Values()
	for i := 1; i < reasons.Len(); i++ {
		add(&errdetails.ErrorInfo{Reason: string(reasons.Get(i).Name())[len("ERROR_REASON_"):], Domain: "setplan.io", Metadata: map[string]string{"limit": "1"}})
	}
	add(&errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{{Field: "snapshot.set.uid", Description: "is empty"}}})
	add(&errdetails.RetryInfo{RetryDelay: durationpb.New(1_500_000_000)})
	return result
}
