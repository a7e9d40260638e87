package server

import (
	"bytes"
	"encoding/json"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/proto/vectors"
)

// TestVectorsByObjects: what the planner makes of the objects of a vector is the snapshot that the vector has, so that both ways give the same plan, byte for byte.
func TestVectorsByObjects(t *testing.T) {
	all, err := vectors.Read(someVectors)
	if err != nil {
		t.Fatal(err)
	}
	asked, unsaid := 0, 0
	for _, v := range all {
		if v.Objects == nil || v.Request == nil {
			continue
		}
		request, err := v.PlanRequest()
		if err != nil {
			t.Fatal(err)
		}
		byObjects := objectsOf(v, request)
		if byObjects == nil {
			unsaid++
			continue
		}
		asked++
		config := Limits{}
		if v.Limits != nil {
			config = Limits{MaxPods: int(v.Limits.MaxPods), MaxMessageBytes: int(v.Limits.MaxMessageBytes)}
		}
		service := NewService(ServiceOptions{Limits: config})
		want, wantErr := service.Plan(t.Context(), request)
		got, err := service.Plan(t.Context(), byObjects)
		if (err == nil) != (wantErr == nil) {
			t.Errorf("%s: by objects %v, by a snapshot %v", v.Name, err, wantErr)
			continue
		}
		if one, two := bytesOf(t, want), bytesOf(t, got); !bytes.Equal(one, two) {
			t.Errorf("%s: the plans differ:\n%v\n%v", v.Name, want, got)
		}
	}
	if asked < 60 || unsaid > asked/4 {
		t.Errorf("%d vectors by objects, and %d that objects cannot say", asked, unsaid)
	}
	t.Logf("%d vectors by objects, and %d that objects cannot say", asked, unsaid)
}

// objectsOf is the request of a vector with its objects in place of the snapshot; nil if they cannot say it: what became of earlier actions, why an API server refused
// templates, and fields of a later contract are in no object.
func objectsOf(v *vectors.Vector, request *setplanv1.PlanRequest) *setplanv1.PlanRequest {
	s := request.GetSnapshot()
	if len(s.GetOutcomes()) > 0 || s.GetSet().GetRefusal() != "" || hasUnknown(request.ProtoReflect()) {
		return nil
	}
	out := &setplanv1.Objects{Namespace: s.GetSet().GetNamespace(), Name: s.GetSet().GetName(), ApiVersion: s.GetSet().GetApiVersion(), Kind: s.GetSet().GetKind(),
		ObservedAt: s.GetObservedAt(), Coverage: s.GetCoverage(), Policy: s.GetPolicy(), Documents: [][]byte{v.Objects.Set}}
	for _, list := range [][]json.RawMessage{v.Objects.Others, v.Objects.Pods, v.Objects.Claims, v.Objects.Revisions} {
		for _, object := range list {
			out.Documents = append(out.Documents, object)
		}
	}
	for _, class := range s.GetFixedStorageClasses() {
		out.Documents = append(out.Documents, []byte(`{"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"`+class+`"}}`))
	}
	return &setplanv1.PlanRequest{Objects: out, Capabilities: request.GetCapabilities()}
}

func bytesOf(t *testing.T, message proto.Message) []byte {
	t.Helper()
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func hasUnknown(m protoreflect.Message) bool {
	unknown := len(m.GetUnknown()) > 0
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case field.IsMap() || field.Message() == nil:
		case field.IsList():
			for i := range value.List().Len() {
				unknown = unknown || hasUnknown(value.List().Get(i).Message())
			}
		default:
			unknown = unknown || hasUnknown(value.Message())
		}
		return !unknown
	})
	return unknown
}
