package servers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/setplan/setplan/deploy/names"
	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

const (
	// away is how long a killed server stays away.
	away = 5 * time.Second
	// found is how long after its return all adapters must be connected to it: a client waits at most five seconds and a fifth
	// before it tries again.
	found = 10 * time.Second
)

// lookups is longer than gRPC's shortest time between two lookups of a name.
const lookups = 31 * time.Second

// group is servers behind one name, which listen on the same port of several addresses.
type group struct {
	program string
	ids     *identities
	names   *names.Server
	servers []*testbed.Server
	next    byte // the last part of the next address
}

// behindOneName lets all adapters ask as fast as they can, and checks which server answered.
func behindOneName(ctx context.Context, o *options, ids *identities, count int) (err error) {
	dns, err := names.Serve(serverName)
	if err != nil {
		return err
	}
	defer dns.Close()
	g := &group{program: o.server, ids: ids, names: dns, next: 2}
	defer func() { err = errors.Join(err, g.end()) }()
	for range count {
		if err := g.add(); err != nil {
			return err
		}
	}
	everyone, err := newFleet(ids, behind(dns, g.servers...), 0, all, 0, 3, 10, 30, 100)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, everyone.close()) }()
	working, stop := context.WithCancel(ctx)
	done := make(chan asked, 1)
	go func() { done <- everyone.work(working) }()
	errShare := g.shares(ctx, o, fmt.Sprintf("servers-%d", count))
	stop()
	calls := <-done
	fmt.Printf("SCALE server-servers-%d calls answered=%d failed=%d p50_ms=%.2f p99_ms=%.2f\n", count, len(calls.took)-len(calls.failed), len(calls.failed),
		calls.p50(), calls.p99())
	return errors.Join(errShare, none("any", calls))
}

// shares measures the servers' shares at first, and if there are several also after one was killed.
func (g *group) shares(ctx context.Context, o *options, name string) error {
	if err := sleep(ctx, 2*time.Second); err != nil { // to connect
		return err
	}
	uneven := []error{g.share(ctx, o, name+" fresh")}
	if len(g.servers) == 1 {
		return uneven[0]
	}
	address := g.servers[0].Address
	g.kill()
	if err := sleep(ctx, away); err != nil {
		return err
	}
	if err := g.launch(address); err != nil {
		return err
	}
	if err := sleep(ctx, found); err != nil {
		return err
	}
	uneven = append(uneven, g.share(ctx, o, name+" back"))

	// A cluster drops the address of a pod that ends. Clients look the name up as soon as they lose the connection and find the
	// other servers. Nothing tells them that there is a new one.
	behind(g.names, g.servers[1:]...)
	if err := sleep(ctx, lookups); err != nil {
		return err
	}
	g.kill()
	if err := sleep(ctx, away); err != nil {
		return err
	}
	if err := g.add(); err != nil {
		return err
	}
	behind(g.names, g.servers...)
	if err := sleep(ctx, o.again); err != nil {
		return err
	}
	return errors.Join(append(uneven, g.share(ctx, o, name+" back_elsewhere"))...)
}

// add launches a server at a new address.
func (g *group) add() error {
	port := "0"
	if len(g.servers) > 0 {
		_, port, _ = net.SplitHostPort(g.servers[0].Address)
	}
	host := netip.AddrFrom4([4]byte{127, 0, 0, g.next}).String()
	g.next++
	return g.launch(net.JoinHostPort(host, port))
}

func (g *group) launch(address string) error {
	server, err := testbed.LaunchServer(g.program, address, g.ids.flags()...)
	if err == nil {
		g.servers = append(g.servers, server)
	}
	return err
}

// kill ends the first server as the end of its node would.
func (g *group) kill() {
	g.servers[0].Crash()
	g.servers = g.servers[1:]
}

func (g *group) end() error {
	var errs []error
	for _, s := range g.servers {
		_, err := s.End()
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// share measures for a while how many plans each server makes, and prints it. Uneven shares are an error.
func (g *group) share(ctx context.Context, o *options, name string) error {
	before, err := g.usage(ctx)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := sleep(ctx, o.howLong); err != nil {
		return err
	}
	took := time.Since(began).Seconds()
	after, err := g.usage(ctx)
	if err != nil {
		return err
	}
	var rates []float64
	var cpu time.Duration
	sum := 0.0
	for i := range after {
		made := after[i].plans - before[i].plans
		rates, sum, cpu = append(rates, made/took), sum+made, cpu+after[i].cpu-before[i].cpu
	}
	uneven := spread(rates)
	fmt.Printf("SCALE server-%s plans_per_second all=%.0f each=%.0f spread=%.2f cpu_us=%.0f\n", name, sum/took, rates, uneven, float64(cpu.Microseconds())/sum)
	return atMost(name+": spread between servers", uneven, maxSpread)
}

// spread is the difference between the largest and the smallest, relative to their mean.
func spread(rates []float64) float64 {
	sum := 0.0
	for _, rate := range rates {
		sum += rate
	}
	return (slices.Max(rates) - slices.Min(rates)) / (sum / float64(len(rates)))
}

// usage is what a server had done by a time.
type usage struct {
	plans float64
	cpu   time.Duration
}

func (g *group) usage(ctx context.Context) (all []usage, err error) {
	for _, s := range g.servers {
		plans, errPlans := plansOf(ctx, s)
		cpu, errCPU := s.CPU()
		if err := errors.Join(errPlans, errCPU); err != nil {
			return nil, err
		}
		all = append(all, usage{plans, cpu})
	}
	return all, nil
}

// behind makes the name resolve to these servers, and returns the adapters' target.
func behind(name *names.Server, servers ...*testbed.Server) (target string) {
	var addresses []netip.Addr
	for _, s := range servers {
		at := netip.MustParseAddrPort(s.Address)
		addresses = append(addresses, at.Addr())
		target = name.Target(fmt.Sprint(at.Port()))
	}
	name.Set(addresses...)
	return target
}

func sleep(ctx context.Context, howLong time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(howLong):
		return nil
	}
}
