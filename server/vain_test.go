package server

import (
	"bytes"
	"crypto/x509"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
)

// TestCallsInVain: a connection whose calls come to nothing is closed, whatever they ask for; others go on. Calls that are worked on may be refused as
// often as they like, and a few of the others come to nothing at any time.
func TestCallsInVain(t *testing.T) {
	r := start(t, Config{MetricsAddress: "127.0.0.1:0"}, nil)
	honest := r.planner(t)
	goesOn(t, honest)
	for what, method := range map[string]string{"an unknown method": "/setplan.v1.PlannerService/No", "an unknown service": "/a.B/C",
		"health": healthv1.Health_Check_FullMethodName, "info": setplanv1.PlannerService_GetServerInfo_FullMethodName} {
		c := r.dial(t)
		var codesSeen []codes.Code
		for range 2 * vainAtOnce {
			err := c.Invoke(testContext(t), method, &setplanv1.GetServerInfoRequest{}, &setplanv1.GetServerInfoResponse{})
			codesSeen = append(codesSeen, status.Code(err))
			if status.Code(err) == codes.Unavailable {
				break
			}
		}
		if n := len(codesSeen); n < vainAtOnce || n > vainAtOnce+vainAtOnce/2 {
			t.Errorf("%s: the connection ends after %d calls", what, n)
		}
		_ = c.Close()
	}
	goesOn(t, honest)
	invalid := request()
	invalid.Snapshot.Set.Uid = strings.Repeat("x", 300)
	connections := r.listener.caller(t)
	for range 2 * vainAtOnce {
		if _, err := honest.Plan(testContext(t), invalid); status.Code(err) != codes.InvalidArgument {
			t.Fatal(err)
		}
	}
	for range vainAtOnce / 2 {
		if _, err := honest.GetServerInfo(testContext(t), &setplanv1.GetServerInfoRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	if goesOn(t, honest); r.listener.caller(t) != connections {
		t.Error("an honest connection was closed")
	}
	if n := counted(t, r, `setplan_server_closed_connections_total{reason="calls"}`); n != "4" {
		t.Errorf("%s connections are counted, want 4", n)
	}
}

// TestVainIsForgotten: what a caller may make in vain comes back with time, and with calls that are worked on.
func TestVainIsForgotten(t *testing.T) {
	now, v := time.Now(), &vain{}
	for i := range vainAtOnce {
		if v.count(now, 1) {
			t.Fatalf("only %d are allowed", i)
		}
	}
	if !v.count(now, 1) || v.count(now, -1) {
		t.Error("one more is allowed, or one that is worked on counts")
	}
	now = now.Add(time.Second)
	for i := range vainPerSecond {
		if v.count(now, 1) {
			t.Fatalf("a second later only %d are allowed", i)
		}
	}
	if !v.count(now, 1) {
		t.Error("a second later one more is allowed")
	}
}

// TestFrames: calls are found in the bytes of a connection, however they are cut.
func TestFrames(t *testing.T) {
	var sent bytes.Buffer
	sent.WriteString(http2.ClientPreface)
	framer := http2.NewFramer(&sent, nil)
	const calls = 30
	for i := range uint32(calls) {
		err := errors.Join(framer.WriteSettings(), framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 2*i + 1, BlockFragment: make([]byte, 1000*i), EndHeaders: true}),
			framer.WriteData(2*i+1, true, bytes.Repeat([]byte{headersFrame}, 300)), framer.WriteContinuation(2*i+1, true, make([]byte, 300)), framer.WriteRSTStream(1, 0))
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, piece := range []int{1, 8, 9, 10, 1000, sent.Len()} {
		f, n := frames{skip: preface}, 0
		for part := range slices.Chunk(sent.Bytes(), piece) {
			n += f.calls(part)
		}
		if n != calls {
			t.Errorf("in pieces of %d bytes there are %d calls, want %d", piece, n, calls)
		}
	}
}

// TestIdentitiesInVain: a caller with a certificate has no more by opening more connections, and another one is let in.
func TestIdentitiesInVain(t *testing.T) {
	r, ca := mutual(t)
	one := func(name string) *grpc.ClientConn {
		return r.dial(t, ca.client(t, func(c *x509.Certificate) { c.Subject.CommonName, c.DNSNames = name, []string{"adapter.example"} }))
	}
	served := 0
	for range 10 {
		c := one("floods")
		for range vainAtOnce / 4 {
			if _, err := setplanv1.NewPlannerServiceClient(c).GetServerInfo(testContext(t), &setplanv1.GetServerInfoRequest{}); err == nil {
				served++
			}
		}
		_ = c.Close()
	}
	if served < vainAtOnce/2 || served > 2*vainAtOnce {
		t.Errorf("%d calls were served", served)
	}
	goesOn(t, setplanv1.NewPlannerServiceClient(one("honest")))
}
