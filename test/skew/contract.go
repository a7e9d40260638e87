package skew

import (
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// What the later contract has: a field in each message, a value in each enum, and an operation with its capability. The numbers are far
// from those in use, so that what is made with them stays as it is while the contract grows.
const (
	fieldName  = "later"
	field      = 1000
	value      = 1000
	operation  = 1001
	actionName = "Action"
	oneofName  = "operation"
)

// Contract is the contract of a later release.
type Contract struct{ files *protoregistry.Files }

// Later builds it from the contract of this build, by reflection: whatever that gains is in it.
func Later() (*Contract, error) {
	set := &descriptorpb.FileDescriptorSet{}
	var failed error
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		one := protodesc.ToFileDescriptorProto(file)
		if file.Package() == setplanv1.File_setplan_v1_plan_proto.Package() {
			failed = errors.Join(failed, grow(one))
			set.File = append(set.File, one)
		} else if strings.HasPrefix(file.Path(), "google/protobuf/") {
			set.File = append(set.File, one)
		}
		return true
	})
	if failed != nil {
		return nil, failed
	}
	files, err := protodesc.NewFiles(set)
	if err != nil {
		return nil, err
	}
	return &Contract{files}, nil
}

// grow adds to a file what a later release may add.
func grow(file *descriptorpb.FileDescriptorProto) error {
	text := descriptorpb.FieldDescriptorProto_TYPE_STRING.Enum()
	optional := descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum()
	for _, enum := range file.GetEnumType() {
		prefix := strings.TrimSuffix(enum.GetValue()[0].GetName(), "UNSPECIFIED")
		enum.Value = append(enum.Value, &descriptorpb.EnumValueDescriptorProto{Name: proto.String(prefix + "LATER"), Number: proto.Int32(value)})
	}
	for _, message := range file.GetMessageType() {
		if message.GetName() == actionName {
			if last := message.GetField()[len(message.GetField())-1]; last.OneofIndex == nil || message.GetOneofDecl()[0].GetName() != oneofName {
				return fmt.Errorf("%s does not end with the oneof %s", actionName, oneofName) // whose fields stand together
			}
			message.Field = append(message.Field, &descriptorpb.FieldDescriptorProto{
				Name: proto.String("do_later"), JsonName: proto.String("doLater"), Number: proto.Int32(operation),
				Type: descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(), Label: optional,
				TypeName: proto.String("." + file.GetPackage() + ".DoLater"), OneofIndex: proto.Int32(0)})
			file.MessageType = append(file.MessageType, &descriptorpb.DescriptorProto{Name: proto.String("DoLater")})
		}
		message.Field = append(message.Field, &descriptorpb.FieldDescriptorProto{
			Name: proto.String(fieldName), JsonName: proto.String(fieldName), Number: proto.Int32(field), Type: text, Label: optional})
	}
	return nil
}

// Of is a message of today in the later contract.
func (c *Contract) Of(message proto.Message) (protoreflect.Message, error) {
	found, err := c.files.FindDescriptorByName(proto.MessageName(message))
	if err != nil {
		return nil, err
	}
	later := dynamicpb.NewMessage(found.(protoreflect.MessageDescriptor))
	bytes, err := proto.Marshal(message)
	if err != nil {
		return nil, err
	}
	return later, proto.Unmarshal(bytes, later)
}

// Bytes are a message as it travels; the same message, the same bytes.
func Bytes(message protoreflect.Message) ([]byte, error) {
	return proto.MarshalOptions{Deterministic: true}.Marshal(message.Interface())
}
