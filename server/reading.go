package server

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/tap"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/statuses"
)

const (
	// piece is as much of a request as is read at once.
	piece = 1 << 20
	// prefix is what stands before each message of gRPC: whether it is compressed, and how long it is.
	prefix = 5
)

// ours are the methods of the planner.
var ours = func() map[string]bool {
	of, prefix := map[string]bool{}, "/"+setplanv1.PlannerService_ServiceDesc.ServiceName+"/"
	for _, m := range setplanv1.PlannerService_ServiceDesc.Methods {
		of[prefix+m.MethodName] = true
	}
	for _, s := range setplanv1.PlannerService_ServiceDesc.Streams {
		of[prefix+s.StreamName] = true
	}
	return of
}()

// tapped gives a call a deadline where its caller has given none that is soon enough. It has to be in the context before gRPC begins
// to read, which is later than here and earlier than any interceptor. Other calls have a bound of their own.
func (a *admission) tapped(ctx context.Context, asked *tap.Info) (context.Context, error) {
	switch {
	case ours[asked.FullMethodName]:
	case a.known != nil && !a.known[asked.FullMethodName]:
		return ctx, raise(statuses.UnknownMethod())
	default:
		return a.aside(ctx)
	}
	if deadline, given := ctx.Deadline(); given && time.Until(deadline) <= a.waits.call && asked.FullMethodName != setplanv1.PlannerService_Forecast_FullMethodName {
		return &call{Context: ctx}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, a.waits.call)
	context.AfterFunc(ctx, cancel) // the end of the stream is its end
	return &call{Context: ctx, cut: cancel}, nil
}

// incoming is what gRPC's server stream can do and its API does not offer: to tell the size of a message before it is read,
// to read it in pieces, and to end the call while it is read. So a message gets in only if there is room for it, one that is too
// large is refused with our error details however large it is, and nobody holds room who has stopped to send. Should a release of
// gRPC call these methods by other names, every test of a call fails.
type incoming interface {
	ReadMessageHeader(header []byte) error
	Read(n int) (mem.BufferSlice, error)
	WriteStatus(*status.Status) error
}

// message is a request on its way in.
type message struct {
	of     *admission
	caller *caller
	stream incoming
	size   int
	room   int64                         // what it holds of the room for messages
	gone   bool                          // it has given back its place; the admission locks it
	until  atomic.Int64                  // the caller has to have sent more by, or taken a part of its answer; 0: nobody waits for it; see passed
	ended  atomic.Pointer[status.Status] // why it was ended while it was read, or its answer sent
	cut    func()                        // ends a call that sends its answer in parts
}

// arriving is the message of a call that has entered. Close it when the call begins, or ends before.
func (a *admission) arriving(ctx context.Context, c *caller) *message {
	m := &message{of: a, caller: c, stream: grpc.ServerTransportStreamFromContext(ctx).(incoming)}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.unbegun = append(a.unbegun, m)
	return m
}

// expect gives the caller time to send more.
func (m *message) expect() { m.until.Store(m.of.passed(m.of.clock().Add(m.of.waits.read))) }

// announced waits for the first bytes of a message, which tell its size.
func (m *message) announced() error {
	m.expect()
	var header [prefix]byte
	err := m.stream.ReadMessageHeader(header[:])
	m.until.Store(0)
	if err != nil {
		return m.broken(err)
	}
	if header[0] != 0 {
		return status.Error(codes.Unimplemented, "the request is compressed, which this server does not support")
	}
	m.size = int(binary.BigEndian.Uint32(header[1:]))
	return nil
}

// read waits until there is room for the message, and reads it. What a stream may hold unread needs no room: it is there.
func (m *message) read(ctx context.Context) ([]byte, error) {
	if m.size > window {
		w := &waiter{caller: m.caller, stage: stageRead, bytes: int64(m.size)}
		if err := m.of.await(ctx, w); err != nil {
			return nil, err
		}
		m.room = w.bytes
	}
	defer m.until.Store(0)
	data, err := m.body()
	if err != nil {
		return nil, m.broken(err)
	}
	m.expect()
	if err := m.stream.ReadMessageHeader(make([]byte, prefix)); err == nil {
		return nil, status.Error(codes.Internal, "a second message; the method takes one")
	} else if err != io.EOF {
		return nil, m.broken(err)
	}
	return data, nil
}

// body reads what was announced into memory of its own, because the request will share it: a small message at once, a large one piece by
// piece, so that it is not there twice.
func (m *message) body() ([]byte, error) {
	if m.size <= window {
		m.expect()
		data, err := m.stream.Read(m.size)
		if err != nil {
			return nil, err
		}
		defer data.Free()
		return data.Materialize(), nil
	}
	all := make([]byte, 0, m.size)
	for len(all) < m.size {
		m.expect()
		next, err := m.stream.Read(min(m.size-len(all), piece))
		if err != nil {
			return nil, err
		}
		for _, part := range next {
			all = append(all, part.ReadOnlyData()...)
		}
		next.Free()
	}
	return all, nil
}

// sends is for a call that sends its answer in parts, and sent for its end.
func (a *admission) sends(m *message, cut func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	m.cut = cut
	a.parted = append(a.parted, m)
}

func (a *admission) sent(m *message) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.parted = slices.DeleteFunc(a.parted, func(other *message) bool { return other == m })
}

// close gives the room back.
func (m *message) close() {
	m.of.mu.Lock()
	defer m.of.mu.Unlock()
	m.of.begun(m)
	if m.room == 0 {
		return
	}
	m.of.read(m.caller, -m.room)
	m.room = 0
	m.of.share()
}

// begins is for a call whose message is there: from now on it goes on to its end, unless it was ended in the last moment.
func (m *message) begins() error {
	m.close()
	return m.orEnded(nil)
}

// broken is the status of a message that does not arrive.
func (m *message) broken(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return status.Error(codes.Internal, "the request ends before its message does")
	}
	return status.Convert(err).Err() // the caller went away, or its time is over
}

// tell sends the status of a call that was ended: whatever it waits for, it waits no longer. The admission is not locked: gRPC takes the
// lock of the connection, and within that lock it gives back the answers of a connection that it closes.
func (m *message) tell() {
	_ = m.stream.WriteStatus(m.ended.Load()) // fails where the caller has gone
}

// orEnded is the status of a call that failed, which is another where we ended it.
func (m *message) orEnded(err error) error {
	if why := m.ended.Load(); why != nil {
		return why.Err()
	}
	return err
}
