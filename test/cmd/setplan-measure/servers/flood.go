package servers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/setplan/setplan/deploy/names"
	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

const (
	// ChildArgument is the first argument of a process that floods.
	ChildArgument = "one-adapter-floods"
	floodCalls    = 100 // in progress at a time
	rising        = 2 * time.Second
)

// besideFlood measures the adapters three times: without a flood, while it floods a server of its own on the same machine, and while it
// floods theirs. The flood takes all processor time that it can get, wherever it goes, so it is the last two that tell what a shared
// server costs the quiet.
func besideFlood(ctx context.Context, o *options, ids *identities, name string, pods int) (err error) {
	var all [2]*testbed.Server // theirs, and the flood's own
	var targets [2]string
	for i := range all {
		if all[i], err = testbed.LaunchServer(o.server, "127.0.0.1:0", ids.flags()...); err != nil {
			return err
		}
		defer func() {
			_, errEnd := all[i].End()
			err = errors.Join(err, errEnd)
		}()
		dns, err := names.Serve(serverName)
		if err != nil {
			return err
		}
		defer dns.Close()
		targets[i] = behind(dns, all[i])
	}
	server, target := all[0], targets[0]
	without, err := o.fifty(ctx, ids, target, server)
	if err != nil {
		return err
	}
	during := func(flooded string) (crowded, error) {
		end, err := begin(ids, flooded, pods)
		if err != nil {
			return crowded{}, err
		}
		time.Sleep(rising)
		c, err := o.fifty(ctx, ids, target, server)
		fmt.Printf("  the flood: %s\n", end())
		return c, err
	}
	elsewhere, err := during(targets[1])
	if err != nil {
		return err
	}
	beside, err := during(target)
	if err != nil {
		return err
	}
	memory, err := server.Memory()
	if err != nil {
		return err
	}
	fmt.Printf("SCALE server-%s plans_per_second without=%.0f elsewhere=%.0f beside=%.0f\n", name, without.rate, elsewhere.rate, beside.rate)
	compared := func(who string, without, elsewhere, beside float64) float64 {
		fmt.Printf("SCALE server-%s %s_ms without=%.2f elsewhere=%.2f beside=%.2f ratio=%.2f\n", name, who, without, elsewhere, beside, beside/elsewhere)
		return beside / elsewhere
	}
	p50 := compared("quiet_p50", without.quiet.p50(), elsewhere.quiet.p50(), beside.quiet.p50())
	p99 := compared("quiet_p99", without.quiet.p99(), elsewhere.quiet.p99(), beside.quiet.p99())
	compared("normal_p99", without.normal.p99(), elsewhere.normal.p99(), beside.normal.p99())
	fmt.Printf("SCALE server-%s peak_mb is=%d bound=%d\n", name, memory>>20, testbed.ServerMemory>>20)
	return errors.Join(
		atMost("p50 of the quiet beside the flood", p50, maxRatio), atMost("p99 of the quiet beside the flood", p99, maxRatio),
		none("quiet", without.quiet, elsewhere.quiet, beside.quiet), none("normal", without.normal, elsewhere.normal, beside.normal))
}

// crowded is the result of the adapters that do not flood.
type crowded struct {
	quiet, normal asked
	rate          float64 // plans per second, of all callers
}

// fifty runs all adapters except the flooding one for a while.
func (o *options) fifty(ctx context.Context, ids *identities, target string, server *testbed.Server) (c crowded, err error) {
	still, err := newFleet(ids, target, 0, quiet, quietPause, 3)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, still.close()) }()
	busy, err := newFleet(ids, target, quiet, quiet+normal, normalPause, 3, 10, 30, 100)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, busy.close()) }()
	together := func(howLong time.Duration) (c crowded) {
		ctx, cancel := context.WithTimeout(ctx, howLong)
		defer cancel()
		done := make(chan asked)
		go func() { done <- busy.work(ctx) }()
		c.quiet, c.normal = still.work(ctx), <-done
		return c
	}
	together(2 * time.Second) // to connect
	before, err := plansOf(ctx, server)
	if err != nil {
		return c, err
	}
	began := time.Now()
	c = together(o.howLong)
	took := time.Since(began)
	after, err := plansOf(ctx, server)
	c.rate = (after - before) / took.Seconds()
	return c, err
}

// plansOf is how many plans a server has made.
func plansOf(ctx context.Context, server *testbed.Server) (float64, error) {
	return server.Metrics(ctx, "grpc_server_handled_total")
}

// begin runs a flood in a separate process with the lowest priority for the processors: real floods come from other machines.
func begin(ids *identities, target string, pods int) (end func() (said string), err error) {
	return testbed.Child(ChildArgument, ids.folder, target, strconv.Itoa(pods))
}

// Child floods until its input ends.
func Child(arguments []string) (exit int) {
	if err := flood(arguments[0], arguments[1], arguments[2]); err != nil {
		fmt.Fprintln(os.Stderr, "the flood:", err)
		return 1
	}
	return 0
}

func flood(folder, target, size string) error {
	if err := syscall.Setpriority(syscall.PRIO_PROCESS, 0, 10); err != nil {
		return err
	}
	pods, err := strconv.Atoi(size)
	if err != nil {
		return err
	}
	f, err := newFleet(&identities{folder}, target, all-1, all, 0, pods)
	if err != nil {
		return err
	}
	var answered, refused atomic.Int64
	for range floodCalls {
		go func() {
			for {
				if _, err := f[0].client.Plan(context.Background(), f[0].requests[0]); err != nil {
					refused.Add(1)
					time.Sleep(10 * time.Millisecond) // a flood ignores the delay that it is told to wait
					continue
				}
				answered.Add(1)
			}
		}()
	}
	_, _ = os.Stdin.Read(make([]byte, 1))
	fmt.Printf("%d calls at once: %d answered, %d refused\n", floodCalls, answered.Load(), refused.Load())
	return nil
}

// atMost returns an error if a bound is exceeded.
func atMost(what string, is, bound float64) error {
	if is <= bound {
		return nil
	}
	return fmt.Errorf("%s: %.2f, at most %.2f", what, is, bound)
}

// none returns an error if a call failed, or if there was none.
func none(who string, of ...asked) error {
	for _, calls := range of {
		if len(calls.took) == 0 {
			return fmt.Errorf("%s adapters had no call", who)
		}
		if len(calls.failed) > 0 {
			return fmt.Errorf("%d of %d calls of %s adapters failed: %w", len(calls.failed), len(calls.took), who, calls.failed[0])
		}
	}
	return nil
}
