package server

import (
	"context"
	"fmt"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/server/codec"
)

// Limits bound what one call may cost. Zero fields mean the defaults.
type Limits struct {
	// MaxPods is the number of pods in one snapshot.
	MaxPods int
	// MaxMessageBytes is the size of a request and of a response, in bytes, uncompressed.
	MaxMessageBytes int
}

// The defaults hold the largest sets that a control plane carries many times over. 100,000 pods with a claim each are 16 MB on
// the wire, a quarter of a message, and 80 MiB of memory while they are planned.
const (
	DefaultMaxPods         = engine.MaxReplicas
	DefaultMaxMessageBytes = 64 << 20

	// maxMaxMessageBytes keeps transportFactor times the limit within what gRPC can count.
	maxMaxMessageBytes = 512 << 20
	minMaxMessageBytes = 1 << 10
)

// transportFactor says how far beyond the limit the transport still reads a message. gRPC refuses a message by itself
// without our error details, so the transport accepts a bit more and the codec refuses with them. Beyond the factor
// gRPC's own RESOURCE_EXHAUSTED ends the call after five bytes, and memory stays bounded.
const transportFactor = 2

func (l Limits) withDefaults() Limits {
	if l.MaxPods == 0 {
		l.MaxPods = DefaultMaxPods
	}
	if l.MaxMessageBytes == 0 {
		l.MaxMessageBytes = DefaultMaxMessageBytes
	}
	return l
}

func (l Limits) validate() error {
	if l.MaxPods < 1 {
		return fmt.Errorf("--max-pods is %d, must be at least 1", l.MaxPods)
	}
	if l.MaxMessageBytes < minMaxMessageBytes || l.MaxMessageBytes > maxMaxMessageBytes {
		return fmt.Errorf("--max-message-bytes is %d, must be between %d and %d", l.MaxMessageBytes, minMaxMessageBytes,
			maxMaxMessageBytes)
	}
	return nil
}

// codec is the part of the limits that is about what a request of a call has in it.
func (l Limits) codec(ctx context.Context) codec.Limits {
	return codec.Limits{MaxPods: l.MaxPods, MaxClaims: codec.MaxClaims, MaxElements: codec.MaxElements,
		Stop: func() bool { return ctx.Err() != nil }}
}
