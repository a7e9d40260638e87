package scale

import (
	"context"
	"fmt"
	"time"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

const (
	// patience is the limit of any wait: nothing may stall.
	patience = 15 * time.Minute
	// glance is the time between two samples of a side.
	glance = 50 * time.Millisecond
	// idleFor and idleCPU define an idle side: it uses less than idleCPU in idleFor.
	idleFor = time.Second
	idleCPU = 50 * time.Millisecond
	// calmFor and calmCPU define the same for the whole control plane, where leases are renewed and nodes report.
	calmFor = 3 * time.Second
	calmCPU = 600 * time.Millisecond
	// settled is how long after the first look memory is read: garbage has been collected by then, and the last timers have
	// fired.
	settled = 15 * time.Second
)

// sample is what a side had used by a time.
type sample struct {
	at  time.Time
	cpu time.Duration
}

// firstLook waits until a side has looked at this many sets and is idle, and returns when it became idle. The side's metrics
// are only read when it is idle, because a page about many sets costs processor time.
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

// idleSince returns the sample since which so little was used, if it is old enough.
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
