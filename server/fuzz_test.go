package server

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// FuzzServer sends arbitrary bytes over a real connection. Each call ends with a plan, or with a status that blames the
// caller and says why. The same bytes give the same answer, and the server goes on.
func FuzzServer(f *testing.F) {
	for _, seed := range fuzzCalls(f) {
		f.Add(seed)
	}
	connection := startPlain(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := callRaw(t, connection, data)
		again, err2 := callRaw(t, connection, data)
		if !bytes.Equal(first, again) || status.Code(err) != status.Code(err2) {
			t.Fatalf("the same bytes gave two answers: %v, %v", err, err2)
		}
		checkAnswer(t, first, err)
		goesOn(t, setplanv1.NewPlannerServiceClient(connection))
	})
}

func checkAnswer(t *testing.T, answer []byte, err error) {
	if err == nil {
		response := &setplanv1.PlanResponse{}
		if err := proto.Unmarshal(answer, response); err != nil || response.GetPlan() == nil {
			t.Fatalf("an answer without a plan: %v", err)
		}
		return
	}
	allowed := []codes.Code{codes.InvalidArgument, codes.FailedPrecondition, codes.ResourceExhausted}
	if !slices.Contains(allowed, status.Code(err)) || detail[*errdetails.ErrorInfo](err).GetReason() == "" {
		t.Fatalf("err = %v", err)
	}
}

// callRaw calls Plan with bytes and returns bytes.
func callRaw(t *testing.T, connection *grpc.ClientConn, request []byte) (response []byte, err error) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	err = connection.Invoke(ctx, setplanv1.PlannerService_Plan_FullMethodName, request, &response,
		grpc.ForceCodec(bytesCodec{}), grpc.MaxCallRecvMsgSize(DefaultMaxMessageBytes))
	return response, err
}

// bytesCodec passes bytes through.
type bytesCodec struct{}

func (bytesCodec) Marshal(v any) ([]byte, error) { return v.([]byte), nil }
func (bytesCodec) Name() string                  { return "proto" }
func (bytesCodec) Unmarshal(data []byte, v any) error {
	*v.(*[]byte) = bytes.Clone(data)
	return nil
}

// startPlain runs a quiet server without TLS for as long as the fuzzer runs.
func startPlain(f *testing.F) *grpc.ClientConn {
	s, err := New(Config{ListenAddress: "127.0.0.1:0", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		f.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	connection, err := grpc.NewClient(s.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDisableRetry())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		_ = connection.Close()
		cancel()
		if err := <-done; err != nil {
			f.Errorf("Run: %v", err)
		}
	})
	return connection
}

// fuzzCalls are the recorded requests of the contract, and some that no client sends.
func fuzzCalls(f *testing.F) [][]byte {
	seeds := [][]byte{nil, {0x0a, 0xff, 0x01}, {0x0a, 0x00}, bytes.Repeat([]byte{0x0a}, 300)}
	recorded, err := filepath.Glob("../proto/testdata/wire/*.binpb")
	if err != nil || len(recorded) == 0 {
		f.Fatalf("no recorded requests: %v", err)
	}
	for _, file := range recorded {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, data, data[:len(data)/2])
	}
	for _, change := range []func(*setplanv1.Snapshot){
		func(*setplanv1.Snapshot) {},
		func(s *setplanv1.Snapshot) { s.Set.Replicas = proto.Int32(2000) },
		func(s *setplanv1.Snapshot) { s.Set.Replicas = proto.Int32(1 << 30) },
		func(s *setplanv1.Snapshot) { s.Set.Name = strings.Repeat("w", 300) },
		func(s *setplanv1.Snapshot) { s.Set.PodTemplate = []byte("{}\xff") },
		func(s *setplanv1.Snapshot) { s.Pods = []*setplanv1.Pod{{Name: "web-0", Uid: "u", LabelSetIndex: 9}} },
	} {
		r := request()
		change(r.Snapshot)
		data, err := proto.Marshal(r)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, data)
	}
	return seeds
}
