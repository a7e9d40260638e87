package setplan

import (
	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/proto" // registers the codec that ours wraps
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// wireCodec is gRPC's protobuf codec, except that it writes requests for plans with generated code instead of reflection;
// test/SPEED.md says what that saves. gRPC's codec reads answers, once their elements are counted, and refuses text that is not UTF-8.
type wireCodec struct{ encoding.CodecV2 }

func newWireCodec() wireCodec { return wireCodec{encoding.GetCodecV2("proto")} }

// Marshal writes the bytes that gRPC's codec would write, except for the order of maps, which neither keeps. It does not check for
// UTF-8: the planner refuses such text and says where it is.
func (c wireCodec) Marshal(v any) (mem.BufferSlice, error) {
	request, ok := v.(*setplanv1.PlanRequest)
	if !ok {
		return c.CodecV2.Marshal(v)
	}
	pool := mem.DefaultBufferPool()
	buffer := pool.Get(request.SizeVT())
	if _, err := request.MarshalToSizedBufferVT(*buffer); err != nil {
		pool.Put(buffer)
		return nil, err
	}
	return mem.BufferSlice{mem.NewBuffer(buffer, pool)}, nil
}

// Unmarshal reads an answer.
func (c wireCodec) Unmarshal(data mem.BufferSlice, v any) error {
	message, ok := v.(proto.Message)
	if !ok {
		return c.CodecV2.Unmarshal(data, v)
	}
	whole := data.MaterializeToBuffer(mem.DefaultBufferPool())
	defer whole.Free()
	if err := checkAnswer(whole.ReadOnlyData(), message.ProtoReflect().Descriptor()); err != nil {
		return err
	}
	return c.CodecV2.Unmarshal(mem.BufferSlice{whole}, v)
}
