package vectors

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Names are the messages, fields and enum values of the contract that something shows, by full name.
type Names map[protoreflect.FullName]bool

// Add adds what a message shows.
func (n Names) Add(message proto.Message) { n.message(message.ProtoReflect()) }

// AddReason adds the reason of an error, which travels as text.
func (n Names) AddReason(e *Error) {
	if value := reasons.ByName(protoreflect.Name("ERROR_REASON_" + e.Reason)); value != nil {
		n[value.FullName()] = true
	}
}

var reasons = setplanv1.ErrorReason(0).Descriptor().Values()

func (n Names) message(m protoreflect.Message) {
	n[m.Descriptor().FullName()] = true
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		n[field.FullName()] = true
		switch {
		case field.IsMap():
			value.Map().Range(func(_ protoreflect.MapKey, value protoreflect.Value) bool {
				n.value(field.MapValue(), value)
				return true
			})
		case field.IsList():
			for i := range value.List().Len() {
				n.value(field, value.List().Get(i))
			}
		default:
			n.value(field, value)
		}
		return true
	})
}

func (n Names) value(field protoreflect.FieldDescriptor, value protoreflect.Value) {
	switch {
	case field.Message() != nil:
		n.message(value.Message())
	case field.Enum() != nil:
		if known := field.Enum().Values().ByNumber(value.Enum()); known != nil {
			n[known.FullName()] = true
		}
	}
}

// Contract lists all that vectors can show: the messages, fields and enum values of the contract, but for the zero value of an
// enum, which is what an unset field means, and for the messages of GetServerInfo, which is about a server, and of Forecast: a vector is a plan, whichever version makes it. Objects stand in a vector
// as they are, and a request with them is made of those.
func Contract() []protoreflect.FullName {
	var all []protoreflect.FullName
	about := map[protoreflect.FullName]bool{
		proto.MessageName(&setplanv1.GetServerInfoRequest{}):  true,
		proto.MessageName(&setplanv1.GetServerInfoResponse{}): true,
		proto.MessageName(&setplanv1.ForecastRequest{}):       true,
		proto.MessageName(&setplanv1.ForecastResponse{}):      true,
		proto.MessageName(&setplanv1.Objects{}):               true,
	}
	objects := (&setplanv1.PlanRequest{}).ProtoReflect().Descriptor().Fields().ByName("objects")
	version := (&setplanv1.PlanResponse{}).ProtoReflect().Descriptor().Fields().ByName("version")
	protoregistry.GlobalFiles.RangeFilesByPackage(setplanv1.File_setplan_v1_service_proto.Package(), func(file protoreflect.FileDescriptor) bool {
		if file.Path() == setplanv1.File_setplan_v1_forecast_proto.Path() {
			return true
		}
		for i := range file.Messages().Len() {
			if message := file.Messages().Get(i); !about[message.FullName()] {
				all = append(all, message.FullName())
				for j := range message.Fields().Len() {
					if field := message.Fields().Get(j); field != objects && field != version {
						all = append(all, field.FullName())
					}
				}
			}
		}
		for i := range file.Enums().Len() {
			values := file.Enums().Get(i).Values()
			for j := range values.Len() {
				if values.Get(j).Number() != 0 {
					all = append(all, values.Get(j).FullName())
				}
			}
		}
		return true
	})
	return all
}
