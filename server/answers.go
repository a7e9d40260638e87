package server

import (
	"context"
	"errors"
	"time"

	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
)

// answer is a response that is on its way out. gRPC takes it at once, however slowly the caller reads, so it holds memory
// until gRPC gives its buffer back to the pool, which is what the answer is to it.
type answer struct {
	mem.BufferPool
	of     *admission
	caller *caller
	bytes  int64
	until  time.Time // to be sent by
}

// encoded is a response in bytes; the wire codec passes them on.
type encoded struct {
	data   mem.BufferSlice
	answer *answer // nil: not counted
}

// answer encodes a response, and counts it until it is sent.
func (a *admission) answer(c *caller, response proto.Message) (*encoded, error) {
	buffer, err := marshal(response)
	if err != nil {
		return nil, err
	}
	out := &answer{BufferPool: mem.DefaultBufferPool(), of: a, caller: c, bytes: int64(cap(*buffer)),
		until: a.clock().Add(a.waits.answer)}
	if mem.IsBelowBufferPoolingThreshold(cap(*buffer)) { // gRPC gives no account of buffers of a kilobyte
		return &encoded{data: mem.BufferSlice{mem.NewBuffer(buffer, out.BufferPool)}}, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if c.closed { // gRPC may drop it, and tells nobody
		return &encoded{data: mem.BufferSlice{mem.NewBuffer(buffer, out.BufferPool)}}, nil
	}
	if c.answers == nil {
		c.answers = map[*answer]struct{}{}
	}
	c.answers[out] = struct{}{}
	a.hold(c, out.bytes)
	return &encoded{mem.BufferSlice{mem.NewBuffer(buffer, out)}, out}, nil
}

// Put implements mem.BufferPool.
func (o *answer) Put(buffer *[]byte) {
	o.BufferPool.Put(buffer)
	o.of.mu.Lock()
	defer o.of.mu.Unlock()
	o.forget()
	o.of.share()
}

func (o *answer) forget() {
	if _, counted := o.caller.answers[o]; !counted {
		return
	}
	delete(o.caller.answers, o)
	o.of.hold(o.caller, -o.bytes)
}

// handedOver looks at an answer when gRPC has taken it. An answer to a call that was taken back a moment before gRPC drops, and does
// not give its buffer back: it would count until its time is over, and then close a connection that does nothing wrong. A call is
// taken back here or never: gRPC itself ends its context later. One whose time is over still counts, for its stream may be open.
func (e *encoded) handedOver(ctx context.Context) {
	if e.answer == nil || !errors.Is(ctx.Err(), context.Canceled) {
		return
	}
	o := e.answer
	o.of.mu.Lock()
	defer o.of.mu.Unlock()
	o.forget()
	o.of.share()
}

// forgetAnswers ends the account of a connection that is closed: gRPC drops the answers that it has not sent.
func (a *admission) forgetAnswers(c *caller) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !c.closed {
		a.quit(c)
	}
	c.closed = true
	for o := range c.answers {
		o.forget()
	}
	a.share()
}
