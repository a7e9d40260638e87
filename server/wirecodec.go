package server

import (
	"fmt"

	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/proto" // registers the codec that ours wraps
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
)

// wireCodec is gRPC's protobuf codec with two differences: it writes maps in order, because the same request must give the same
// bytes, and it passes on what is encoded already. It does not read requests for plans: see message.
type wireCodec struct{ encoding.CodecV2 }

func newWireCodec() wireCodec { return wireCodec{encoding.GetCodecV2("proto")} }

// Marshal writes the same bytes for equal messages.
func (wireCodec) Marshal(v any) (mem.BufferSlice, error) {
	switch v := v.(type) {
	case *encoded:
		return v.data, nil
	case proto.Message:
		buffer, err := marshal(v)
		if err != nil {
			return nil, err
		}
		return mem.BufferSlice{mem.NewBuffer(buffer, mem.DefaultBufferPool())}, nil
	}
	return nil, fmt.Errorf("cannot encode a %T, want a proto.Message", v)
}

// marshal encodes into a buffer of gRPC's pool, which gRPC takes back once it is sent: a plan with a thousand manifests takes a
// megabyte or more.
func marshal(message proto.Message) (*[]byte, error) {
	options := proto.MarshalOptions{Deterministic: true}
	buffer := mem.DefaultBufferPool().Get(options.Size(message))
	options.UseCachedSize = true // that of the line above
	if _, err := options.MarshalAppend((*buffer)[:0], message); err != nil {
		mem.DefaultBufferPool().Put(buffer)
		return nil, err
	}
	return buffer, nil
}
