package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// rooms are the parts of a call, named by functions that only they use. The first room in a stack gets the sample.
var rooms = []struct{ name, function string }{
	{"upload: server reads bytes into messages", "setplan/server.unmarshalPlan"},
	{"answer: server writes the plan's bytes", "setplan/server.marshal"},
	{"decode: messages into the engine's snapshot", "setplan/server/codec.Decode"},
	{"decide", "setplan/engine.Decide"},
	{"encode: plan into messages", "setplan/server/codec.Encode"},
	{"snapshot building, from the caches", "setplan/adapters/kube.(*Source).Snapshot"},
	{"upload: client writes the snapshot's bytes", "setplan/clients/go.wireCodec.Marshal"},
	{"answer: client reads bytes into messages", "grpc/encoding/proto.(*codecV2).Unmarshal"},
	{"size of messages, against the limits", "protobuf/proto.Size"},
	{"TLS and sockets", "crypto/tls."},
	{"interceptors, log and admission", "setplan/server.handler."},
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

// printShares prints the parts of our side's processor time in a contest, and how much upstream takes for the same. Processor
// time includes all threads, also the collector's, and hardly depends on other load.
func printShares(out io.Writer, folder, title string, s sides) error {
	ours, calls, err := recordProfile(folder, title, s.ours)
	if err != nil {
		return err
	}
	upstream, callsUpstream, err := recordProfile(folder, title+"-upstream", s.upstream)
	if err != nil {
		return err
	}
	shares, total := map[string]int64{}, int64(0)
	for _, sample := range ours.Sample {
		shares[roomOf(sample)] += nanoseconds(sample)
		total += nanoseconds(sample)
	}
	a, b := total/calls, int64(0)
	for _, sample := range upstream.Sample {
		b += nanoseconds(sample)
	}
	b /= callsUpstream
	fmt.Fprintf(out, "\nPROCESSOR %s ours=%d upstream=%d ratio=%.2f; ours, client and server together, goes into\n", title, a, b, float64(b)/float64(a))
	for _, room := range slices.SortedFunc(maps.Keys(shares), func(a, b string) int { return cmp.Compare(shares[b], shares[a]) }) {
		fmt.Fprintf(out, "%5.1f%%  %s\n", 100*float64(shares[room])/float64(total), room)
	}
	return nil
}

// recordProfile profiles calls and writes the profile into the folder.
func recordProfile(folder, title string, call func() error) (p *profile.Profile, calls int64, err error) {
	var raw bytes.Buffer
	runtime.GC()
	if err := pprof.StartCPUProfile(&raw); err != nil {
		return nil, 0, err
	}
	for begin := time.Now(); err == nil && time.Since(begin) < profiled; calls++ {
		err = call()
	}
	pprof.StopCPUProfile()
	if err != nil {
		return nil, 0, err
	}
	file := filepath.Join(folder, strings.ReplaceAll(title, "/", "-")+".pprof")
	if err := os.WriteFile(file, raw.Bytes(), 0o644); err != nil {
		return nil, 0, err
	}
	p, err = profile.Parse(&raw)
	return p, calls, err
}

// nanoseconds is the second value of a processor profile's sample; the first is a count.
func nanoseconds(sample *profile.Sample) int64 { return sample.Value[len(sample.Value)-1] }

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
