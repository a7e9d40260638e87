package main

import (
	"context"
	"fmt"
	"time"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

const (
	// patience is for whatever is waited for: nothing may stall.
	patience = 15 * time.Minute
	// glance is the time between two looks at a side.
	glance = 50 * time.Millisecond
	// idleFor and idleCPU are what makes a side count as idle: so long, it uses less than so much.
	idleFor = time.Second
	idleCPU = 50 * time.Millisecond
	// calmFor and calmCPU are the same for the whole control plane, where leases are renewed and nodes say that they are there.
	calmFor = 3 * time.Second
	calmCPU = 600 * time.Millisecond
	// settled is how long after a first look memory is read: garbage is collected, and the last timers have run.
	settled = 15 * time.Second
)

// sample is what a side had used at a time.
type sample struct {
	at  time.Time
	cpu time.Duration
}

// firstLook waits until a side has looked at so many sets and is idle, and returns when that began. The side's metrics are read only
// when it is idle: a page about many sets costs something.
func firstLook(ctx context.Context, r *testbed.Running, sets int) (sample, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var last []sample
	for {
		cpu, err := testbed.CPU(r.Pids)
		if err != nil {
			return sample{}, err
		}
		last = append(last, sample{time.Now(), cpu})
		if since, idle := idleSince(last, idleFor, idleCPU); idle {
			if r.Looked(ctx, sets) {
				return since, nil
			}
			last = nil
		}
		select {
		case <-ctx.Done():
			return sample{}, fmt.Errorf("it has not looked at %d sets: %w", sets, ctx.Err())
		case <-time.After(glance):
		}
	}
}

// idleSince is the sample since which so little was used, if that is long enough ago.
func idleSince(samples []sample, long time.Duration, little time.Duration) (since sample, idle bool) {
	now := samples[len(samples)-1]
	for i := len(samples) - 1; i >= 0; i-- {
		if now.cpu-samples[i].cpu >= little {
			return since, false
		}
		if since = samples[i]; now.at.Sub(since.at) >= long {
			return since, true
		}
	}
	return since, false
}
