package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// loads are the rows of the throughput table: pods of a steady set, and callers that ask one call after another.
var loads = struct{ pods, callers []int }{[]int{3, 100, 1000}, []int{1, 4, 16, 64}}

// loadPerTurn is how long a row lasts per requested turn.
const loadPerTurn = 200 * time.Millisecond

func throughput(out io.Writer, o options) error {
	for _, pods := range loads.pods {
		for _, callers := range loads.callers {
			name := fmt.Sprintf("throughput/%dpods/%dcallers", pods, callers)
			if !o.only.MatchString(name) {
				continue
			}
			row, err := load(o, pods, callers)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			fmt.Fprintf(out, "BENCH %s %s\n", name, row)
		}
	}
	return nil
}

// load runs a server and callers beside it, on the same processors, and describes the result. The snapshot is encoded once, so
// that the callers cost little of what they measure.
func load(o options, pods, callers int) (row string, err error) {
	request, err := readyRequest(pods)
	if err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp("", "setplan-bench-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	files, err := certificate(folder)
	if err != nil {
		return "", err
	}
	p, err := launch(o.server, files)
	if err != nil {
		return "", err
	}
	latencies, took, allocated, err := askAll(p, files.CertFile, request, callers, time.Duration(o.turns)*loadPerTurn)
	memory, errMemory := p.peakMemory()
	if err := errors.Join(err, errMemory, p.end()); err != nil {
		return "", err
	}
	slices.Sort(latencies)
	calls := len(latencies)
	return fmt.Sprintf("plans_per_second=%.0f p50=%d p99=%d allocations=%.0f peak_rss=%d",
		float64(calls)/took.Seconds(), latencies[calls/2], latencies[calls*99/100], allocated/float64(calls), memory), nil
}

// readyRequest is what an adapter sends for a steady set.
func readyRequest(pods int) (*setplanv1.PlanRequest, error) {
	w, plan, err := scenarios[0].work("web", pods)
	if err != nil {
		return nil, err
	}
	way, err := connect(w)
	if err != nil {
		return nil, err
	}
	defer way.close()
	if err := way.check(w, plan); err != nil {
		return nil, err
	}
	snapshot, err := way.source.Snapshot(context.Background(), keyOf(w))
	return &setplanv1.PlanRequest{Snapshot: snapshot, Capabilities: setplan.Capabilities()}, err
}

// askAll lets callers ask over one connection, as an adapter's workers do.
func askAll(p *process, ca string, request *setplanv1.PlanRequest, callers int, howLong time.Duration) (latencies []time.Duration, took time.Duration, allocated float64, err error) {
	codec, err := encodeOnce(request)
	if err != nil {
		return nil, 0, 0, err
	}
	client, err := setplan.Dial(p.address, setplan.WithTLSFiles(ca, "", ""),
		setplan.WithDialOptions(grpc.WithDefaultCallOptions(grpc.ForceCodecV2(codec))))
	if err != nil {
		return nil, 0, 0, err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	ask := func() error {
		response, err := client.Plan(context.Background(), request)
		if err == nil && !response.GetPlan().GetConverged() {
			err = errors.New("the plan of a steady set has actions")
		}
		return err
	}
	for range 20 { // connect, and fill pools
		if err := ask(); err != nil {
			return nil, 0, 0, err
		}
	}
	before, err := p.allocations()
	if err != nil {
		return nil, 0, 0, err
	}
	each, failed := make([][]time.Duration, callers), make([]error, callers)
	begin := time.Now()
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			for failed[i] == nil && time.Since(begin) < howLong {
				asked := time.Now()
				failed[i] = ask()
				each[i] = append(each[i], time.Since(asked))
			}
		})
	}
	all.Wait()
	took = time.Since(begin)
	after, err := p.allocations()
	return slices.Concat(each...), took, after - before, errors.Join(append(failed, err)...)
}

// encodedOnce sends bytes encoded earlier, and decodes answers as usual.
type encodedOnce struct {
	encoding.CodecV2
	request []byte
}

func encodeOnce(request *setplanv1.PlanRequest) (encodedOnce, error) {
	data, err := proto.Marshal(request)
	return encodedOnce{encoding.GetCodecV2("proto"), data}, err
}

func (c encodedOnce) Marshal(any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(c.request)}, nil
}
