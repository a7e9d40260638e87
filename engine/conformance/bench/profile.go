package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// rooms are the parts of the way, by functions that only they call; the first that a stack holds has the sample.
var rooms = []struct{ name, function string }{
	{"upload: server reads bytes into messages", "setplan/server.(*wireCodec).Unmarshal"},
	{"answer: server writes the plan's bytes", "setplan/server.(*wireCodec).Marshal"},
	{"decode: messages into the engine's snapshot", "setplan/server/codec.Decode"},
	{"decide", "setplan/engine.Decide"},
	{"encode: plan into messages", "setplan/server/codec.Encode"},
	{"snapshot building, from the caches", "setplan/adapters/kube.(*Source).Snapshot"},
	{"upload: client writes the snapshot's bytes", "grpc/encoding/proto.(*codecV2).Marshal"},
	{"answer: client reads bytes into messages", "grpc/encoding/proto.(*codecV2).Unmarshal"},
	{"size of messages, against the limits", "protobuf/proto.Size"},
	{"TLS and sockets", "crypto/tls."},
	{"gRPC: client", "grpc.(*ClientConn)"},
	{"gRPC", "google.golang.org/grpc"},
	{"garbage collection", "runtime.gcBgMarkWorker"},
	{"garbage collection", "runtime.bgsweep"},
	{"garbage collection", "runtime.bgscavenge"},
	{"scheduling", "runtime.mcall"},
	{"scheduling", "runtime.mstart"},
}

// profiled is how long each profile lasts.
const profiled = 5 * time.Second

// printShares runs calls and prints what the processor time of both sides of the way goes into.
func printShares(out io.Writer, folder, title string, call func() error) error {
	var raw bytes.Buffer
	if err := pprof.StartCPUProfile(&raw); err != nil {
		return err
	}
	var err error
	calls := 0
	for begin := time.Now(); err == nil && time.Since(begin) < profiled; calls++ {
		err = call()
	}
	pprof.StopCPUProfile()
	if err != nil {
		return err
	}
	file := filepath.Join(folder, strings.ReplaceAll(title, "/", "-")+".pprof")
	if err := os.WriteFile(file, raw.Bytes(), 0o644); err != nil {
		return err
	}
	p, err := profile.Parse(&raw)
	if err != nil {
		return err
	}
	shares, total := map[string]int64{}, int64(0)
	for _, sample := range p.Sample {
		value := sample.Value[len(sample.Value)-1]
		shares[roomOf(sample)] += value
		total += value
	}
	fmt.Fprintf(out, "\n%s: %d ns of processor time a call, client and server together; of that\n", title, total/int64(calls))
	for _, room := range slices.SortedFunc(maps.Keys(shares), func(a, b string) int { return cmp.Compare(shares[b], shares[a]) }) {
		fmt.Fprintf(out, "%5.1f%%  %s\n", 100*float64(shares[room])/float64(total), room)
	}
	return nil
}

func roomOf(sample *profile.Sample) string {
	for _, room := range rooms {
		for _, location := range sample.Location {
			for _, line := range location.Line {
				if strings.Contains(line.Function.Name, room.function) {
					return room.name
				}
			}
		}
	}
	return "other"
}
