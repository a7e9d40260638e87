package server

import (
	"fmt"

	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/proto" // registers the codec that ours wraps
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
)

// wireCodec is gRPC's protobuf codec with two differences: it writes maps in order, because the same request must give
// the same bytes, and it refuses what is too large or no message at all with our statuses.
type wireCodec struct {
	encoding.CodecV2
	maxBytes int
}

func newWireCodec(maxBytes int) *wireCodec {
	return &wireCodec{CodecV2: encoding.GetCodecV2("proto"), maxBytes: maxBytes}
}

// Marshal writes the same bytes for equal messages.
func (c *wireCodec) Marshal(v any) (mem.BufferSlice, error) {
	message, ok := v.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("cannot encode a %T, want a proto.Message", v)
	}
	// The buffer is gRPC's to give back once it is sent: a plan with a thousand manifests has a megabyte or more.
	options := proto.MarshalOptions{Deterministic: true}
	pool := mem.DefaultBufferPool()
	buffer := pool.Get(options.Size(message))
	options.UseCachedSize = true // that of the line above
	if _, err := options.MarshalAppend((*buffer)[:0], message); err != nil {
		pool.Put(buffer)
		return nil, err
	}
	return mem.BufferSlice{mem.NewBuffer(buffer, pool)}, nil
}

// Unmarshal reads into a *received without failing: the handler answers. Other values, those of health and reflection,
// are read as gRPC does.
func (c *wireCodec) Unmarshal(data mem.BufferSlice, v any) error {
	in, ok := v.(*received)
	if !ok {
		return c.CodecV2.Unmarshal(data, v)
	}
	if size := data.Len(); size > c.maxBytes {
		in.refused = messageTooLarge("request", size, c.maxBytes)
	} else if err := c.CodecV2.Unmarshal(data, in.message); err != nil {
		in.refused = undecodable(err)
	}
	return nil
}
