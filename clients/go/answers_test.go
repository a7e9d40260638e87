package setplan

import (
	"bytes"
	"testing"

	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestEveryListOfAnAnswerIsCounted overfills every list and map of the contract, and every message that comes again and again, and a new one from
// its first day.
func TestEveryListOfAnAnswerIsCounted(t *testing.T) {
	answer, tried := (&setplanv1.PlanResponse{}).ProtoReflect().Descriptor(), 0
	var walk func(message protoreflect.MessageDescriptor, wrap func([]byte) []byte)
	walk = func(message protoreflect.MessageDescriptor, wrap func([]byte) []byte) {
		for i := range message.Fields().Len() {
			field := message.Fields().Get(i)
			one := protowire.AppendBytes(protowire.AppendTag(nil, field.Number(), protowire.BytesType), nil)
			if field.Kind() != protoreflect.MessageKind && field.Cardinality() != protoreflect.Repeated {
				continue
			}
			tried++
			for n, refused := range map[int]bool{maxPlanElements - 20: false, maxPlanElements + 2: true} { // those around it count, too
				if err := checkAnswer(wrap(bytes.Repeat(one, n)), answer); (err != nil) != refused {
					t.Errorf("%s, %d times: %v", field.FullName(), n, err)
				}
			}
			if field.Message() != nil {
				walk(field.Message(), func(in []byte) []byte {
					return wrap(protowire.AppendBytes(protowire.AppendTag(nil, field.Number(), protowire.BytesType), in))
				})
			}
		}
	}
	plan := answer.Fields().ByName("plan")
	walk(plan.Message(), func(in []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, plan.Number(), protowire.BytesType), in)
	})
	if tried < 50 {
		t.Errorf("%d lists were tried", tried)
	}
}

// TestAnswersAreReadAsTheyAre: the count changes nothing of an answer.
func TestAnswersAreReadAsTheyAre(t *testing.T) {
	want := &setplanv1.PlanResponse{Plan: &setplanv1.Plan{Stages: []*setplanv1.Stage{{Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{{Id: "a"}}}}}}}}
	data, err := proto.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got := &setplanv1.PlanResponse{}
	if err := newWireCodec().Unmarshal(mem.BufferSlice{mem.SliceBuffer(data[:3]), mem.SliceBuffer(data[3:])}, got); err != nil || !proto.Equal(got, want) {
		t.Errorf("%v: %v", err, got)
	}
	for cut := range data {
		_ = newWireCodec().Unmarshal(mem.BufferSlice{mem.SliceBuffer(data[:cut])}, got) // and whatever the bytes are, it ends
	}
	blocks := bytes.Repeat([]byte{byte(3<<3 | protowire.BytesType), 0}, maxPlanElements+1)
	data = protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), blocks)
	if err := newWireCodec().Unmarshal(mem.BufferSlice{mem.SliceBuffer(data)}, got); err == nil {
		t.Error("a plan of very many blocks is read")
	}
}
