package server

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// rawConnection is HTTP/2 without a library that would enforce its rules.
type rawConnection struct {
	net.Conn
	*http2.Framer
	block []byte
}

// dialRaw connects, and grants the server a window of that many bytes for each answer.
func (r *running) dialRaw(t *testing.T, window uint32) *rawConnection {
	t.Helper()
	c, err := tls.Dial("tcp", r.Addr().String(), &tls.Config{RootCAs: r.ca.pool(), NextProtos: []string{"h2"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if _, err := c.Write([]byte(http2.ClientPreface)); err != nil {
		t.Fatal(err)
	}
	out := &rawConnection{Conn: c, Framer: http2.NewFramer(c, c)}
	if err := out.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: window}); err != nil {
		t.Fatal(err)
	}
	return out
}

// Write is for the encoder of headers.
func (c *rawConnection) Write(p []byte) (int, error) {
	c.block = append(c.block, p...)
	return len(p), nil
}

// call begins a call, and sends data as the beginning of a message that claims to have size bytes.
func (c *rawConnection) call(t *testing.T, size int, data []byte, end bool) {
	t.Helper()
	c.callOn(t, 1, size, data, end)
}

// callOn is call for one of several streams.
func (c *rawConnection) callOn(t *testing.T, stream uint32, size int, data []byte, end bool) {
	t.Helper()
	c.begin(t, stream)
	message := append(binary.BigEndian.AppendUint32([]byte{0}, uint32(size)), data...)
	if err := c.WriteData(stream, end, message); err != nil {
		t.Fatal(err)
	}
}

// callMethod is callOn for a whole message of any method.
func (c *rawConnection) callMethod(t *testing.T, method string, stream uint32, message []byte) {
	t.Helper()
	c.beginMethod(t, method, stream)
	if err := c.WriteData(stream, true, append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message))), message...)); err != nil {
		t.Fatal(err)
	}
}

// callMethodPieces is callMethod for a message of up to a window, in frames as large as they may be; of a larger one it sends the rest as the server asks for it.
// Nobody else may write until all is sent.
func (c *rawConnection) callMethodPieces(t *testing.T, method string, stream uint32, message []byte) (sent <-chan struct{}) {
	t.Helper()
	done := make(chan struct{})
	c.beginMethod(t, method, stream)
	data := append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message))), message...)
	go func() {
		for room := 64<<10 - 1; len(data) > 0; {
			n := min(len(data), 16<<10, room)
			if n > 0 {
				if c.WriteData(stream, n == len(data), data[:n]) != nil {
					return
				}
				data, room = data[n:], room-n
				continue
			}
			f, err := c.ReadFrame()
			if err != nil {
				return
			}
			switch f := f.(type) {
			case *http2.SettingsFrame:
				if value, ok := f.Value(http2.SettingInitialWindowSize); ok {
					room += int(value) - (64<<10 - 1)
				}
			case *http2.WindowUpdateFrame:
				if f.StreamID == stream {
					room += int(f.Increment)
				}
			}
		}
		close(done)
		for {
			if _, err := c.ReadFrame(); err != nil {
				return
			}
		}
	}()
	return done
}

// begin begins a call of Plan with further headers.
func (c *rawConnection) begin(t *testing.T, stream uint32, more ...hpack.HeaderField) {
	t.Helper()
	c.beginMethod(t, setplanv1.PlannerService_Plan_FullMethodName, stream, more...)
}

func (c *rawConnection) beginMethod(t *testing.T, method string, stream uint32, more ...hpack.HeaderField) {
	t.Helper()
	c.block = nil
	encoder := hpack.NewEncoder(c)
	for _, f := range append([]hpack.HeaderField{{Name: ":method", Value: "POST"}, {Name: ":scheme", Value: "https"},
		{Name: ":path", Value: method}, {Name: ":authority", Value: "planner"},
		{Name: "content-type", Value: "application/grpc"}, {Name: "te", Value: "trailers"}}, more...) {
		if err := encoder.WriteField(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: c.block, EndHeaders: true}); err != nil {
		t.Fatal(err)
	}
}

// status reads frames until the one that ends the call, and returns its gRPC code.
func (c *rawConnection) status(t *testing.T) string {
	t.Helper()
	_ = c.SetReadDeadline(time.Now().Add(patience))
	c.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	for {
		f, err := c.ReadFrame()
		if err != nil {
			t.Fatalf("no status: %v", err)
		}
		if f, ok := f.(*http2.MetaHeadersFrame); ok && f.StreamEnded() {
			for _, field := range f.Fields {
				if field.Name == "grpc-status" {
					return field.Value
				}
			}
		}
	}
}

// TestSilentCallEnds: a call that sends no message is ended.
func TestSilentCallEnds(t *testing.T) {
	r := start(t, Config{}, func(s *Server) { s.admission.waits.read = 100 * time.Millisecond })
	stream, err := r.dial(t).NewStream(testContext(t), &grpc.StreamDesc{ClientStreams: true}, setplanv1.PlannerService_Plan_FullMethodName)
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.RecvMsg(&setplanv1.PlanResponse{}); status.Code(err) != codes.DeadlineExceeded {
		t.Errorf("err = %v, want DEADLINE_EXCEEDED", err)
	}
	givesBack(t, r.admission)
}

// TestUnfinishedMessageEnds: a message that stops halfway does not keep its room.
func TestUnfinishedMessageEnds(t *testing.T) {
	r := start(t, Config{}, func(s *Server) { s.admission.waits.read = 300 * time.Millisecond })
	c := r.dialRaw(t, 1<<16)
	c.call(t, 10<<20, make([]byte, 16<<10-prefix), false)
	waitFor(t, func() bool { _, _, _, _, reading := r.admission.state(); return reading == 10<<20 })
	if code := c.status(t); code != "4" { // DEADLINE_EXCEEDED
		t.Errorf("the call ends with code %s, want 4", code)
	}
	givesBack(t, r.admission)
}

// TestNothingIsReadWithoutRoom: a large message stays with its sender until there is room for it.
func TestNothingIsReadWithoutRoom(t *testing.T) {
	r := start(t, Config{}, nil)
	a := r.admission
	full := a.bytes / 4
	a.mu.Lock()
	a.reading = full
	a.mu.Unlock()
	large := request()
	large.Snapshot.Set.PodTemplate = make([]byte, 2<<20)
	ended := make(chan error, 1)
	go func() {
		_, err := r.planner(t).Plan(testContext(t), large)
		ended <- err
	}()
	waitFor(t, func() bool { _, _, waiting, _, _ := a.state(); return waiting == 1 })
	goesOn(t, r.planner(t)) // small messages need no room
	a.mu.Lock()
	a.reading -= full
	a.share()
	a.mu.Unlock()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	givesBack(t, a)
}

// TestUnreadAnswer: an answer holds memory until it is read, and its connection is closed if that takes too long.
func TestUnreadAnswer(t *testing.T) {
	r := start(t, Config{}, func(s *Server) { s.admission.waits.answer = 500 * time.Millisecond })
	large := request()
	large.Snapshot.Set.Replicas = proto.Int32(100)
	large.Snapshot.Set.PodManagementPolicy = "Parallel"
	message, err := proto.Marshal(large)
	if err != nil {
		t.Fatal(err)
	}
	c := r.dialRaw(t, 0)
	c.call(t, len(message), message, true)
	waitFor(t, func() bool {
		open, taken, _, held, _ := r.admission.state()
		return open == 0 && taken == 0 && held > 10_000 // the call has ended; its answer is still here
	})
	_ = c.SetReadDeadline(time.Now().Add(patience))
	for err = nil; err == nil; {
		_, err = c.ReadFrame()
	}
	if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
		t.Error("the connection lives on")
	}
	givesBack(t, r.admission)
}

// TestUntakenWrite: a connection that takes nothing of what is written to it is closed, however large its window.
func TestUntakenWrite(t *testing.T) {
	r := start(t, Config{}, func(s *Server) {
		s.admission.waits.write, s.admission.waits.answer = 500*time.Millisecond, time.Hour
	})
	large := request()
	large.Snapshot.Set.Replicas = proto.Int32(3000)
	large.Snapshot.Set.PodManagementPolicy = "Parallel"
	large.Snapshot.Set.PodTemplate = []byte(strings.Replace(string(large.Snapshot.Set.PodTemplate), secret, strings.Repeat("x", 12<<10), 1))
	message, err := proto.Marshal(large)
	if err != nil {
		t.Fatal(err)
	}
	c := r.dialRaw(t, 1<<30)
	if err := c.WriteWindowUpdate(0, 1<<30); err != nil {
		t.Fatal(err)
	}
	c.call(t, len(message), message, true)
	waitFor(t, func() bool { return r.listener.count() == 1 })
	waitFor(t, func() bool { return r.listener.count() == 0 })
	givesBack(t, r.admission)
}

// TestReadAnswersAreForgotten: an answer that was sent no longer counts.
func TestReadAnswersAreForgotten(t *testing.T) {
	r := start(t, Config{}, nil)
	large := request()
	large.Snapshot.Set.Replicas = proto.Int32(100)
	planner := r.planner(t)
	for range 10 {
		if _, err := planner.Plan(testContext(t), large); err != nil {
			t.Fatal(err)
		}
	}
	givesBack(t, r.admission)
}

// TestConnectionsAreBounded: if there is one too many, one that nobody has used is closed.
func TestConnectionsAreBounded(t *testing.T) {
	r := start(t, Config{}, func(s *Server) { s.listener.most = 3 })
	used := r.planner(t)
	goesOn(t, used)
	var silent []net.Conn
	for range 20 {
		c, err := net.Dial("tcp", r.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		silent = append(silent, c)
	}
	for i, c := range silent[:18] {
		_ = c.SetReadDeadline(time.Now().Add(handshakeTimeout / 2)) // at which it would be closed anyway
		if _, err := c.Read(make([]byte, 100)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("silent connection %d is still open: %v", i, err)
		}
	}
	connections := r.listener.caller(t)
	goesOn(t, used)
	if r.listener.caller(t) != connections {
		t.Error("the connection that was used had to be made again")
	}
}

// caller returns the one connection that has made a call.
func (l *connections) caller(t *testing.T) *connection {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.open {
		if _, ever, _ := l.admission.lastCall(&c.caller); ever {
			return c
		}
	}
	t.Error("the connection that was used is closed")
	return nil
}

// TestNewConnectionsGetIn: if every connection has been used, a new one still replaces one of them.
func TestNewConnectionsGetIn(t *testing.T) {
	r := start(t, Config{}, func(s *Server) { s.listener.most = 3 })
	for range 6 {
		goesOn(t, r.planner(t))
	}
	waitFor(t, func() bool { return r.listener.count() == 3 })
}

// TestOneCallerLeavesRoomToRead: a caller whose large messages do not arrive does not keep others' messages from being read.
func TestOneCallerLeavesRoomToRead(t *testing.T) {
	r := start(t, Config{}, nil)
	c := r.dialRaw(t, 1<<16)
	const messages = 8
	for i := range messages {
		c.callOn(t, uint32(2*i+1), 32<<20, make([]byte, 1<<10), false)
	}
	waitFor(t, func() bool {
		_, _, waiting, _, reading := r.admission.state()
		return reading >= 64<<20 && waiting >= messages/2
	})
	large := request()
	large.Snapshot.Set.PodTemplate = append(large.Snapshot.Set.PodTemplate, make([]byte, 2<<20)...)
	began := time.Now()
	_, err := r.planner(t).Plan(testContext(t), large)
	if took := time.Since(began); err != nil || took > r.admission.waits.read/2 {
		t.Errorf("after %s: %v", took, err)
	}
}

// TestSilentCallsLeavePlaces: silent calls may take every place, and give one up for a call that sends a message.
func TestSilentCallsLeavePlaces(t *testing.T) {
	r := start(t, Config{}, func(s *Server) { s.admission.maxCalls = 16 })
	var last *rawConnection
	for range 10 {
		last = r.dialRaw(t, 1<<16)
		for i := range 8 {
			last.callOn(t, uint32(2*i+1), 100, nil, false)
		}
	}
	waitFor(t, func() bool { open, _, _, _, _ := r.admission.state(); return open == 16 })
	goesOn(t, r.planner(t))
	if code := last.status(t); code != "8" { // RESOURCE_EXHAUSTED
		t.Errorf("a call beyond the places ends with code %s, want 8", code)
	}
}

// TestEndedForAnother: a call that loses its place to another is told to try again.
func TestEndedForAnother(t *testing.T) {
	r := start(t, Config{}, func(s *Server) { s.admission.maxCalls = 2 })
	var silent []*rawConnection
	for i := range 2 {
		c := r.dialRaw(t, 1<<16)
		c.call(t, 100, nil, false)
		waitFor(t, func() bool { open, _, _, _, _ := r.admission.state(); return open == i+1 })
		silent = append(silent, c)
	}
	goesOn(t, r.planner(t))
	if code := silent[0].status(t); code != "8" { // RESOURCE_EXHAUSTED
		t.Errorf("the call ends with code %s, want 8", code)
	}
}

// TestAnswersOfCallsTakenBack: answers that gRPC drops because their calls were cancelled stop counting. Otherwise they would
// end a connection that does nothing wrong.
func TestAnswersOfCallsTakenBack(t *testing.T) {
	large := request()
	large.Snapshot.Set.PodTemplate = make([]byte, 10<<10)
	live, cancel := context.WithCancel(t.Context())
	defer cancel()
	back, backNow := context.WithCancel(t.Context())
	backNow()
	late, lateNow := context.WithTimeout(t.Context(), -1)
	defer lateNow()
	for _, test := range []struct {
		what  string
		ctx   context.Context
		count int
	}{{"waited for", live, 1}, {"taken back", back, 0}, {"late", late, 1}} {
		a, c := newAdmission(plainInflightBytes, newAdmissionMetrics(nil)), &caller{}
		out, err := a.answer(c, large)
		if err != nil {
			t.Fatal(err)
		}
		out.handedOver(test.ctx)
		if len(c.answers) != test.count || (c.held > 0) != (test.count > 0) {
			t.Errorf("%s: %d answers with %d bytes, want %d", test.what, len(c.answers), c.held, test.count)
		}
		out.data.Free()
		if a.held != 0 || c.held != 0 {
			t.Errorf("%s: %d and %d bytes are held in the end", test.what, a.held, c.held)
		}
	}
}
