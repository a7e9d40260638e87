package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/codec/hostile"
)

const (
	listens = 3 * time.Second // how long the honest caller asks without a flood
	beside  = 10 * time.Second
	rising  = 2 * time.Second // before it is measured
)

// flood is one way to harm others. It begins at once, goes on until it is told to end, and then says what came of it.
type flood struct {
	name  string
	begin func(p *process, end <-chan struct{}) (said func() string, err error)
}

func floods(worst hostile.Case) []flood {
	return []flood{
		{"calls", func(p *process, end <-chan struct{}) (func() string, error) { return floodCalls(p, worst, end) }},
		{"unfinished", floodUnfinished},
		{"unread", floodUnread},
		{"silent", floodSilent},
	}
}

// measure asks without the flood, beside it, and ends the server in its midst.
func (f flood) measure(program string) (m measured, err error) {
	p, err := launch(program)
	if err != nil {
		return m, err
	}
	end, probed := make(chan struct{}), make(chan struct{})
	defer func() {
		close(end)
		m.sigterm, err = joined(p, err)
	}()
	if _, err = ask(p, time.Second); err != nil { // to warm up
		return m, err
	}
	if m.quiet, err = ask(p, listens); err != nil {
		return m, err
	}
	said, err := f.begin(p, end)
	if err != nil {
		return m, err
	}
	time.Sleep(rising)
	go func() { m.healthz = probe(p, probed) }()
	m.beside, err = ask(p, beside)
	close(probed)
	m.said = said()
	if err == nil {
		m.memory, err = p.memory()
	}
	return m, err
}

func joined(p *process, err error) (time.Duration, error) {
	took, errEnd := p.end()
	return took, errors.Join(err, errEnd)
}

// worstCase is the request that takes a server longest.
func worstCase(program string) (worst hostile.Case, err error) {
	p, err := launch(program)
	if err != nil {
		return worst, err
	}
	defer func() { _, err = joined(p, err) }()
	var most time.Duration
	for _, c := range hostile.Cases() {
		connection, err := dial(p)
		if err != nil {
			return worst, err
		}
		request := c.Build()
		before, _ := p.cpu()
		_, err = setplanv1.NewPlannerServiceClient(connection).Plan(context.Background(), request)
		_ = connection.Close()
		if code := status.Code(err); code == codes.Unavailable {
			return worst, fmt.Errorf("%s: %w", c.Name, err)
		}
		after, _ := p.cpu()
		if after-before > most {
			most, worst = after-before, c
		}
	}
	fmt.Printf("the worst request is %q: %.1f s of CPU\n", worst.Name, most.Seconds())
	return worst, nil
}

// floodCalls keeps 500 of the worst requests under way, over five connections.
func floodCalls(p *process, worst hostile.Case, end <-chan struct{}) (func() string, error) {
	const connections, calls = 5, 100
	request := worst.Build()
	var answered, shed, other atomic.Int64
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-end; cancel() }()
	for range connections {
		connection, err := dial(p)
		if err != nil {
			return nil, err
		}
		planner := setplanv1.NewPlannerServiceClient(connection)
		var all sync.WaitGroup
		for range calls {
			all.Go(func() {
				for ctx.Err() == nil {
					_, err := planner.Plan(ctx, request)
					switch status.Code(err) {
					case codes.OK:
						answered.Add(1)
					case codes.ResourceExhausted:
						shed.Add(1)
						time.Sleep(time.Second) // as RetryInfo asks for; the flood is no less for it
					default:
						other.Add(1)
						time.Sleep(100 * time.Millisecond)
					}
				}
			})
		}
		go func() { all.Wait(); _ = connection.Close() }()
	}
	return func() string {
		return fmt.Sprintf("%d calls of %d bytes: %d answered, %d shed, %d ended otherwise", connections*calls, proto.Size(request),
			answered.Load(), shed.Load(), other.Load())
	}, nil
}
