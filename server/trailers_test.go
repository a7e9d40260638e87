package server

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// headerLimit is the longest header list that clients in some languages read.
const headerLimit = 8 << 10

// answerTo sends bytes as a request and measures both header lists of the answer as HTTP/2 does: names and values as sent,
// and 32 bytes for each header.
func answerTo(t *testing.T, r *running, path string, message []byte) (code string, size int) {
	t.Helper()
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: r.ca.pool()}, ForceAttemptHTTP2: true}
	defer transport.CloseIdleConnections()
	body := binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message)))
	ask, err := http.NewRequestWithContext(testContext(t), http.MethodPost, "https://"+r.Addr().String(), bytes.NewReader(append(body, message...)))
	if err != nil {
		t.Fatal(err)
	}
	ask.URL.Opaque = path
	ask.Header.Set("Content-Type", "application/grpc")
	ask.Header.Set("TE", "trailers")
	ask.Header.Set(requestIDHeader, strings.Repeat("x", 64))
	response, err := transport.RoundTrip(ask)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	for buffer := make([]byte, 4096); err == nil; {
		_, err = response.Body.Read(buffer)
	}
	for _, list := range []http.Header{response.Header, response.Trailer} {
		sum := 0
		for name, values := range list {
			for _, value := range values {
				sum += len(name) + len(value) + 32
			}
		}
		size = max(size, sum)
		if list.Get("Grpc-Status") != "" {
			code = list.Get("Grpc-Status")
		}
	}
	return code, size
}

// TestTrailersAreShort: a caller sees a refusal that is too long as a broken connection.
func TestTrailersAreShort(t *testing.T) {
	r := start(t, Config{Limits: Limits{MaxMessageBytes: 4 << 20, MaxPods: 1000}}, nil)
	plan := setplanv1.PlannerService_Plan_FullMethodName
	const worst = "\U0010ffff" // ten bytes when quoted
	with := func(change func(*setplanv1.PlanRequest)) []byte {
		in := request()
		change(in)
		data, err := proto.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	odd := func(text string) []byte { // in every name that a refusal may quote
		return with(func(in *setplanv1.PlanRequest) {
			for range 200 {
				in.Snapshot.Pods = append(in.Snapshot.Pods, &setplanv1.Pod{Name: strings.Repeat(text, 63), Phase: 99, OwnerSetIndex: 9, LabelSetIndex: 9})
				in.Snapshot.Claims = append(in.Snapshot.Claims, &setplanv1.Claim{Name: strings.Repeat(text, 63), Phase: 99, OwnerSetIndex: 9})
				in.Snapshot.Revisions = append(in.Snapshot.Revisions, &setplanv1.Revision{Name: strings.Repeat(text, 63)})
			}
		})
	}
	taken := func(text string) []byte { // twenty-five times the longest sentence
		return with(func(in *setplanv1.PlanRequest) {
			for i := range 200 {
				in.Snapshot.Claims = append(in.Snapshot.Claims, &setplanv1.Claim{Name: strings.Repeat(text, 63), Uid: fmt.Sprint(i)})
			}
		})
	}
	policy := &setplanv1.Policy{}
	policy.ProtoReflect().SetUnknown(protowire.AppendString(protowire.AppendTag(nil, protowire.MaxValidNumber, protowire.BytesType), "x"))
	for name, test := range map[string]struct {
		path string
		data []byte
		code codes.Code
	}{
		"names that are quoted":  {plan, odd(worst), codes.InvalidArgument},
		"names that are taken":   {plan, taken(worst), codes.InvalidArgument},
		"taken beyond ASCII":     {plan, taken("世"), codes.InvalidArgument},
		"names beyond ASCII":     {plan, odd("世"), codes.InvalidArgument},
		"names of percents":      {plan, odd("%"), codes.InvalidArgument},
		"names of quotes":        {plan, odd(`"`), codes.InvalidArgument},
		"a name that is no name": {plan, with(func(in *setplanv1.PlanRequest) { in.Snapshot.Set.Name = strings.Repeat("世", 100_000) }), codes.InvalidArgument},
		"no message":             {plan, bytes.Repeat([]byte{0xff}, 10_000), codes.InvalidArgument},
		"no UTF-8":               {plan, bytes.ReplaceAll(odd("Q"), []byte("QQ"), []byte{0xff, 0xfe}), codes.InvalidArgument},
		"too large":              {plan, make([]byte, 5<<20), codes.ResourceExhausted},
		"far too large":          {plan, make([]byte, 9<<20), codes.ResourceExhausted},
		"too many pods": {plan, with(func(in *setplanv1.PlanRequest) { in.Snapshot.Pods = make([]*setplanv1.Pod, 1001) }),
			codes.ResourceExhausted},
		"unknown policy": {plan, with(func(in *setplanv1.PlanRequest) { in.Snapshot.Policy = policy }), codes.FailedPrecondition},
		"a method that is not there": {"/setplan.v1.PlannerService/" + strings.Repeat("%", 10_000), nil,
			codes.Unimplemented},
		"a service that is not there": {"/" + strings.Repeat("%", 10_000) + "/Plan", nil, codes.Unimplemented},
	} {
		code, size := answerTo(t, r, test.path, test.data)
		if code != fmt.Sprint(int(test.code)) {
			t.Errorf("%s: code %s, want %d", name, code, test.code)
		}
		if size > headerLimit {
			t.Errorf("%s: %d bytes of headers, want at most %d", name, size, headerLimit)
		}
		t.Logf("%s: %d bytes", name, size)
	}
}
