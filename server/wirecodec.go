package server

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/proto" // registers the codec that ours wraps
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/codec"
)

// wireCodec is gRPC's protobuf codec with two differences: it writes maps in order, because the same request must give
// the same bytes, and it refuses what is too large or no message at all with our statuses.
type wireCodec struct {
	encoding.CodecV2
	limits Limits
}

func newWireCodec(limits Limits) *wireCodec {
	return &wireCodec{CodecV2: encoding.GetCodecV2("proto"), limits: limits}
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
	if size := data.Len(); size > c.limits.MaxMessageBytes {
		in.refused = messageTooLarge("request", size, c.limits.MaxMessageBytes)
		return nil
	}
	buffer := data.MaterializeToBuffer(mem.DefaultBufferPool())
	defer buffer.Free()
	in.refused = c.read(in.ctx, buffer.ReadOnlyData(), in.message)
	return nil
}

// read makes a message of bytes. What is in a plan's request is checked before that takes memory, and it ends when nobody
// waits for it any more.
func (c *wireCodec) read(ctx context.Context, data []byte, message proto.Message) error {
	request, ok := message.(*setplanv1.PlanRequest)
	if !ok {
		if err := proto.Unmarshal(data, message); err != nil {
			return undecodable(err)
		}
		return nil
	}
	limits := c.limits.codec(ctx)
	if err := codec.Check(data, limits); err != nil {
		return refusal(ctx, err)
	}
	err := codec.Read(data, request, limits)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, codec.ErrStopped):
		return refusal(ctx, err)
	}
	return undecodable(err)
}
