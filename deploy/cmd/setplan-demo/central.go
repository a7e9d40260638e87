package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/setplan/setplan/deploy/authority"
	"github.com/setplan/setplan/deploy/names"
)

// plannerName is what the servers' certificate and the name server call the planner.
const plannerName = "planner.example"

const centralIntro = `Three control planes, each with its own adapter and its own certificate authority: east and west with 17 sets, north with 16. One
planner plans for all of them: three setplan-servers behind one DNS name, which serve the three clusters of a policy file and nobody else.
In each cluster one more set is edited ten times a second, so that its adapter always has something to ask.`

// central is the demo of one planner for many clusters.
type central struct {
	bin     string
	folder  string // of the servers' files and logs
	names   *names.Server
	members []*member
	servers *group
	rounds  int // of rollouts
}

func playCentral(ctx context.Context, bin string) (err error) {
	folder, err := os.MkdirTemp("", "setplan-central-")
	if err != nil {
		return err
	}
	c := &central{bin: bin, folder: folder, members: []*member{
		{name: "east", sets: 17}, {name: "west", sets: 17},
		{name: "north", sets: 16, limits: "{callsPerSecond: 50, concurrentCalls: 8}"},
	}}
	defer func() {
		if err = errors.Join(err, c.stop()); err != nil {
			err = fmt.Errorf("%w\nthe servers' logs are in %s", err, folder)
			return
		}
		err = os.RemoveAll(folder)
	}()
	fmt.Println(centralIntro)
	if err := c.start(ctx); err != nil {
		return err
	}
	return errors.Join(c.play(ctx), ctx.Err())
}

// start brings everything up; every set is settled then.
func (c *central) start(ctx context.Context) (err error) {
	if c.names, err = names.Serve(plannerName); err != nil {
		return err
	}
	for _, m := range c.members {
		m.bin, m.folder = c.bin, c.folder
		if m.authority, err = authority.New(m.name + "'s"); err != nil {
			return err
		}
		if err := m.issue(); err != nil {
			return err
		}
	}
	if err := c.writePolicy(c.members); err != nil {
		return err
	}
	if err := c.trust(); err != nil {
		return err
	}
	if c.servers, err = newGroup(c.bin, c.folder); err != nil {
		return err
	}
	for range 3 {
		if err := c.servers.add(ctx); err != nil {
			return err
		}
	}
	c.names.Set(c.servers.addresses()...)
	return c.each(c.members, func(m *member) error {
		return m.start(ctx, c.names.Target(c.servers.port), filepath.Join(c.folder, "ca.crt"))
	})
}

// play is the acts.
func (c *central) play(ctx context.Context) error {
	for i := range 3 {
		if err := c.phase(ctx, fmt.Sprintf("Server %d of 3 is killed in the middle of 50 rollouts. Another one takes its place in DNS, at another address.", i+1),
			c.members, c.killFirst); err != nil {
			return err
		}
	}
	if err := c.rotate(ctx); err != nil {
		return err
	}
	if err := c.phase(ctx, "East has a new certificate, of a new authority. The old authority is removed in the middle of 50 rollouts.",
		c.members, c.distrust); err != nil {
		return err
	}
	if err := c.besideFlood(ctx); err != nil {
		return err
	}
	if err := c.revoked(ctx); err != nil {
		return err
	}
	fmt.Println("\nNo rollout was lost, no pod was replaced twice, and no cluster noticed what happened to another one.")
	return nil
}

// phase rolls out all sets of some clusters, does something meanwhile, and tells what each cluster saw.
func (c *central) phase(ctx context.Context, say string, of []*member, meanwhile func(context.Context) error) error {
	fmt.Println("\n" + say)
	from := time.Now()
	if err := c.roll(ctx, of); err != nil {
		return err
	}
	if err := c.underWay(ctx, from, of); err != nil {
		return err
	}
	if err := meanwhile(ctx); err != nil {
		return err
	}
	if err := c.settled(ctx, of); err != nil {
		return err
	}
	return c.tell(from, of)
}

// roll begins a rollout of every set.
func (c *central) roll(ctx context.Context, of []*member) error {
	c.rounds++
	return c.each(of, func(m *member) error { return m.roll(ctx, c.rounds) })
}

// underWay waits until each cluster has deleted a pod.
func (c *central) underWay(ctx context.Context, from time.Time, of []*member) error {
	return c.each(of, func(m *member) error {
		return wait(ctx, func() error {
			deleted, _, err := m.did(from)
			if err == nil && len(deleted) == 0 {
				err = fmt.Errorf("%s has deleted no pod", m.name)
			}
			return err
		})
	})
}

func (c *central) settled(ctx context.Context, of []*member) error {
	return c.each(of, func(m *member) error { return wait(ctx, func() error { return m.unsettled(ctx) }) })
}

// killFirst kills the oldest server as the end of its node would, and waits until every adapter has found the one in its place.
func (c *central) killFirst(ctx context.Context) error {
	c.servers.crash()
	c.names.Set(c.servers.addresses()...)
	if err := c.servers.add(ctx); err != nil {
		return err
	}
	c.names.Set(c.servers.addresses()...)
	began, found := time.Now(), time.Duration(0)
	newest := c.servers.all[len(c.servers.all)-1]
	for _, m := range c.members {
		if err := wait(ctx, func() error {
			calls, err := newest.calls(m.name, began)
			if err == nil && len(calls) == 0 {
				err = fmt.Errorf("%s has not found the new server", m.name)
			}
			if err == nil {
				found = max(found, calls[0].Time.Sub(began))
			}
			return err
		}); err != nil {
			return err
		}
	}
	fmt.Printf("every adapter asked the new server within %.1f s\n", found.Seconds())
	if found > foundWithin {
		return fmt.Errorf("it took %v, more than %v", found, foundWithin)
	}
	return nil
}

// foundWithin is how long adapters may need to find a new server: they look the name up every half minute, and connect.
const foundWithin = 31 * time.Second

// rotate gives east a certificate of another authority, which the servers trust from then on beside the first one.
func (c *central) rotate(ctx context.Context) (err error) {
	east := c.members[0]
	before := east.authority.PEM()
	if east.authority, err = authority.New("east's second"); err != nil {
		return err
	}
	if err := c.trust(before); err != nil {
		return err
	}
	if err := east.issue(); err != nil {
		return err
	}
	return sleep(ctx, 2*lookEvery) // every server has seen it
}

// distrust takes the first authority away, and with it every connection that it has let in.
func (c *central) distrust(ctx context.Context) error {
	from := time.Now()
	if err := c.trust(); err != nil {
		return err
	}
	if err := wait(ctx, func() error { return c.servers.everyEnded(from, "CN=east") }); err != nil {
		return err
	}
	fmt.Println("every server has ended east's connections; its adapter is back with the new certificate")
	return nil
}

// lookEvery is how often a server looks whether its files have changed.
const lookEvery = 5 * time.Second

// revoked takes west out of the policy file, and puts it back.
func (c *central) revoked(ctx context.Context) error {
	west := c.members[1]
	others := slices.DeleteFunc(slices.Clone(c.members), func(m *member) bool { return m == west })
	fmt.Println("\nWest is removed from the policy file. Then 50 rollouts are started.")
	from := time.Now()
	if err := c.writePolicy(others); err != nil {
		return err
	}
	if err := wait(ctx, func() error { return c.servers.everyReloaded(from) }); err != nil {
		return err
	}
	if err := c.roll(ctx, c.members); err != nil {
		return err
	}
	if err := c.settled(ctx, others); err != nil {
		return err
	}
	deleted, held, err := west.did(from)
	if err != nil {
		return err
	}
	if len(deleted) > 0 || len(held) == 0 {
		return fmt.Errorf("without a planner west's adapter has deleted %v, and says %v", deleted, held)
	}
	fmt.Printf("west's adapter has changed nothing, and says: %s\n", held[0])
	if err := c.tell(from, others); err != nil {
		return err
	}
	fmt.Println("\nWest is back in the policy file.")
	if err := c.writePolicy(c.members); err != nil {
		return err
	}
	if err := c.settled(ctx, []*member{west}); err != nil {
		return err
	}
	return c.tell(from, []*member{west})
}

// tell prints what each cluster saw since a moment. A rollout in which a pod was not replaced exactly once is an error.
func (c *central) tell(from time.Time, of []*member) error {
	fmt.Printf("%-8s %6s  %-22s %9s %9s %9s  %s\n", "cluster", "plans", "from the servers", "gap p50", "gap p99", "longest", "rollouts")
	for _, m := range of {
		view, err := c.servers.seen(m.name, from)
		if err != nil {
			return err
		}
		deleted, held, err := m.did(from)
		if err != nil {
			return err
		}
		if err := m.oncePerPod(deleted); err != nil {
			return err
		}
		fmt.Printf("%-8s %6d  %-22s %9s %9s %9s  %d of %d, each of %d pods replaced once%s\n", m.name, view.plans, strings.Join(view.shares, " "),
			view.gap(50), view.gap(99), view.gap(100), m.sets, m.sets, len(deleted), also(held))
	}
	return nil
}

func also(held []string) string {
	if len(held) == 0 {
		return ""
	}
	return fmt.Sprintf("; %d passes were held", len(held))
}

// writePolicy serves these clusters and nobody else.
func (c *central) writePolicy(of []*member) error {
	var text strings.Builder
	text.WriteString("clusters:\n")
	for _, m := range of {
		fmt.Fprintf(&text, "- {name: %s, identities: [CN=%s]", m.name, m.name)
		if m.limits != "" {
			fmt.Fprintf(&text, ", limits: %s", m.limits)
		}
		text.WriteString("}\n")
	}
	return authority.Replace(filepath.Join(c.folder, "policy.yaml"), []byte(text.String()))
}

// trust lets the servers trust the clusters' authorities, and more.
func (c *central) trust(more ...[]byte) error {
	for _, m := range c.members {
		more = append(more, m.authority.PEM())
	}
	return authority.Replace(filepath.Join(c.folder, "clients.crt"), slices.Concat(more...))
}

// each does something in all clusters at once.
func (c *central) each(of []*member, do func(*member) error) error {
	errs := make([]error, len(of))
	var all sync.WaitGroup
	for i, m := range of {
		all.Go(func() { errs[i] = do(m) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// stop ends the adapters first, so that nothing is planned without an API server.
func (c *central) stop() error {
	err := c.each(c.members, (*member).stop)
	if c.servers != nil {
		err = errors.Join(err, c.servers.stop())
	}
	if c.names != nil {
		c.names.Close()
	}
	return err
}
