package server

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/server/codec"
)

// Limits bound what calls may cost. Zero fields mean the defaults.
type Limits struct {
	// MaxPods is the number of pods in one snapshot.
	MaxPods int
	// MaxMessageBytes is the size of a request and of a response, in bytes, uncompressed.
	MaxMessageBytes int
	// MaxInflightBytes is the memory of all requests that are read or planned, and of all answers that are not sent yet.
	MaxInflightBytes int64
}

// The defaults are many times what the largest sets of a real control plane need. 100,000 pods with a claim each are 16 MB on
// the wire, a quarter of a message, and take 80 MiB of memory while they are planned.
const (
	DefaultMaxPods         = model.MaxReplicas
	DefaultMaxMessageBytes = 64 << 20

	maxMaxMessageBytes = 512 << 20
	minMaxMessageBytes = 1 << 10

	// plainInflightBytes is the default of MaxInflightBytes where GOMEMLIMIT is not set.
	plainInflightBytes = 512 << 20
	minInflightBytes   = 128 << 20
)

// defaultInflightBytes is half of GOMEMLIMIT if that is set. The rest is for connections, unread messages and garbage.
func defaultInflightBytes() int64 {
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		return max(limit/2, minInflightBytes)
	}
	return plainInflightBytes
}

func (l Limits) withDefaults() Limits {
	if l.MaxPods == 0 {
		l.MaxPods = DefaultMaxPods
	}
	if l.MaxMessageBytes == 0 {
		l.MaxMessageBytes = DefaultMaxMessageBytes
	}
	if l.MaxInflightBytes == 0 {
		l.MaxInflightBytes = defaultInflightBytes()
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
	if l.MaxInflightBytes < minInflightBytes {
		return fmt.Errorf("--max-inflight-bytes is %d, must be at least %d", l.MaxInflightBytes, minInflightBytes)
	}
	return nil
}

// codec is the part of the limits that is about the content of a request.
func (l Limits) codec(ctx context.Context) codec.Limits {
	return codec.Limits{MaxPods: l.MaxPods, MaxClaims: codec.MaxClaims, MaxElements: codec.MaxElements,
		Stop: func() bool { return ctx.Err() != nil }}
}
