package wasm

import (
	"bytes"
	"testing"

	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

// TestBug: a panic becomes INTERNAL, in the place of what was answered before it, and quotes nothing.
func TestBug(t *testing.T) {
	answer := guarded(func(a *answering) {
		a.send("answer", Info("v1", 1, 1))
		panic("hunter2")
	})
	s := &spb.Status{}
	if answer[0] != frameStatus || proto.Unmarshal(answer[frameHead:], s) != nil || codes.Code(s.GetCode()) != codes.Internal || bytes.Contains(answer, []byte("hunter2")) {
		t.Errorf("%x, %v", answer, s)
	}
}

// TestAnswersAreBounded: what there is no room for is refused, and ends the answer.
func TestAnswersAreBounded(t *testing.T) {
	a := &answering{frames: make([]byte, MaxAnswer)}
	s := &spb.Status{}
	if a.send("forecast", Info("v1", 1, 1)) || proto.Unmarshal(a.frames[MaxAnswer+frameHead:], s) != nil || codes.Code(s.GetCode()) != codes.ResourceExhausted {
		t.Errorf("%v", s)
	}
}
