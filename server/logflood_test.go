package server

import (
	"bytes"
	"crypto/tls"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/grpc/codes"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// resetFlood begins calls and cancels each at once, which costs a caller nothing.
func resetFlood(t *testing.T, r *running, calls int) {
	t.Helper()
	connection, err := tls.Dial("tcp", r.Addr().String(), &tls.Config{RootCAs: r.ca.pool(), NextProtos: []string{"h2"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	if _, err := connection.Write([]byte(http2.ClientPreface)); err != nil {
		t.Fatal(err)
	}
	framer := http2.NewFramer(connection, connection)
	go func() { // the server stops if nobody reads what it sends
		for {
			if _, err := framer.ReadFrame(); err != nil {
				return
			}
		}
	}()
	if err := framer.WriteSettings(); err != nil {
		t.Fatal(err)
	}
	var block bytes.Buffer
	encoder := hpack.NewEncoder(&block)
	for i := range calls {
		block.Reset()
		for _, field := range []hpack.HeaderField{
			{Name: ":method", Value: "POST"}, {Name: ":scheme", Value: "https"}, {Name: ":authority", Value: "planner"},
			{Name: ":path", Value: setplanv1.PlannerService_Plan_FullMethodName},
			{Name: "content-type", Value: "application/grpc"}, {Name: "te", Value: "trailers"},
		} {
			if err := encoder.WriteField(field); err != nil {
				t.Fatal(err)
			}
		}
		stream := uint32(2*i + 1)
		err := framer.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: block.Bytes(), EndHeaders: true})
		if err == nil {
			err = framer.WriteRSTStream(stream, http2.ErrCodeCancel)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestResetFloodInTheLog: callers choose the number of calls, but must not choose the size of the log.
func TestResetFloodInTheLog(t *testing.T) {
	const calls, connections = vainAtOnce / 2, 50
	r := start(t, Config{}, nil)
	planner := r.planner(t)
	begin := time.Now()
	for range connections { // which are closed if they make more
		resetFlood(t, r, calls)
	}
	goesOn(t, planner)
	waitFor(t, func() bool { return finished(r)+leftOut(t, r) == calls*connections })
	if most := failuresAtOnce + failuresPerSecond*int(time.Since(begin).Seconds()+1); finished(r) > most {
		t.Errorf("%d cancelled calls wrote %d lines, want at most %d", calls*connections, finished(r), most)
	}
	if !strings.Contains(r.log.String(), "grpc.code=OK") {
		t.Error("the line of an honest call is lost in the flood")
	}
}

// finished counts the lines of calls that did not end well.
func finished(r *running) (n int) {
	for line := range strings.Lines(r.log.String()) {
		if strings.Contains(line, `msg="finished call"`) && !strings.Contains(line, "grpc.code=OK") {
			n++
		}
	}
	return n
}

// leftOut adds up the lines that the log says it left out.
func leftOut(t *testing.T, r *running) (n int) {
	for line := range strings.Lines(r.log.String()) {
		if _, count, found := strings.Cut(line, "left out"); found {
			_, count, _ = strings.Cut(count, "count=")
			more, err := strconv.Atoi(strings.TrimSpace(count))
			if err != nil {
				t.Fatalf("how many? %s", line)
			}
			n += more
		}
	}
	return n
}

// TestLogOfAFleet: when an adapter of 5,000 sets starts, all its calls are in the log, also while others fail.
func TestLogOfAFleet(t *testing.T) {
	budgets := newCallBudgets(slog.New(slog.DiscardHandler))
	written := func(code codes.Code, calls int) (n int) {
		for range calls {
			if budgets.of(code).spend() {
				n++
			}
		}
		return n
	}
	if n := written(codes.Canceled, 10_000); n < failuresAtOnce || n >= 10_000 {
		t.Errorf("%d lines of 10,000 cancelled calls", n)
	}
	for _, code := range []codes.Code{codes.Internal, codes.InvalidArgument} {
		if n := written(code, failuresAtOnce); n != failuresAtOnce {
			t.Errorf("%d lines of %d calls that ended with %s", n, failuresAtOnce, code)
		}
	}
	if n := written(codes.OK, plansAtOnce); n != plansAtOnce {
		t.Errorf("%d lines of %d plans", n, plansAtOnce)
	}
}
