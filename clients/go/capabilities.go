package setplan

import (
	"google.golang.org/protobuf/reflect/protoreflect"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Capabilities lists every operation that this build of the contract knows, ascending.
func Capabilities() []setplanv1.Capability {
	values := setplanv1.Capability(0).Descriptor().Values()
	all := make([]setplanv1.Capability, 0, values.Len())
	for i := range values.Len() {
		if number := setplanv1.Capability(values.Get(i).Number()); number != setplanv1.Capability_CAPABILITY_UNSPECIFIED {
			all = append(all, number)
		}
	}
	return all
}

// withCapabilities returns the request with the build's capabilities if it lists none. It does not change the request itself, which
// the caller may be sending elsewhere at the same time.
func withCapabilities(request *setplanv1.PlanRequest) *setplanv1.PlanRequest {
	if len(request.GetCapabilities()) > 0 {
		return request
	}
	out := &setplanv1.PlanRequest{}
	to := out.ProtoReflect()
	// Field by field and without copying their content: a snapshot may have megabytes. Later fields are not forgotten this way.
	request.ProtoReflect().Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		to.Set(field, value)
		return true
	})
	to.SetUnknown(request.ProtoReflect().GetUnknown())
	out.Capabilities = Capabilities()
	return out
}
