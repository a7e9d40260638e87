package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/setplan/setplan/deploy/node/internal/load"
)

// scenario is a change of a running database.
type scenario struct {
	name        string
	only        string   // the database that it is for; all where it says nothing
	members     int      // 3 where it says nothing
	annotations []string // of the set, for Setplan; the built-in controller does not know them
	change      func(ctx context.Context, b *bed) error
}

const (
	inPlace = "setplan.io/in-place=InPlaceIfPossible"
	leave   = `setplan.io/drain-pod-template={"metadata":{"labels":{"app":"etcd-drain"}},"spec":{"containers":[{"name":"leave","image":"setplan.local/etcd-role:1","args":["leave"],"env":[
{"name":"POD","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}},{"name":"NAMESPACE","valueFrom":{"fieldRef":{"fieldPath":"metadata.namespace"}}}]}]}}`
)

var scenarios = []scenario{
	{name: "image", change: toImage2},
	{name: "image, five members", only: "etcd", members: 5, change: toImage2},
	{name: "image in place", annotations: []string{inPlace}, change: toImage2},
	{name: "memory raised", annotations: []string{inPlace}, change: moreMemory},
	{name: "disks 95 % full, grown", only: "etcd", change: fillAndGrow},
	{name: "scaled to five and back, then a restart", only: "etcd", annotations: []string{leave, "setplan.io/drain-max-parallel=1"}, change: scaleAndRestart},
	{name: "bad image, corrected", change: func(ctx context.Context, b *bed) error {
		if err := b.image(ctx, "missing"); err != nil {
			return err
		}
		time.Sleep(20 * time.Second)
		return b.image(ctx, "2")
	}},
	{name: "node drained during an update", change: drainMeanwhile},
	{name: "kubelet gone for two minutes", change: func(ctx context.Context, b *bed) error {
		if err := b.local(ctx, "stop", "kubelet-1"); err != nil {
			return err
		}
		time.Sleep(2 * time.Minute)
		return b.local(ctx, "start", "kubelet-1")
	}},
	{name: "node restarted", change: func(ctx context.Context, b *bed) error {
		before, err := b.started(ctx)
		if err == nil {
			err = b.local(ctx, "restart", "node-1")
		}
		for now := before; err == nil && maps.Equal(now, before); time.Sleep(100 * time.Millisecond) { // until the API server knows
			now, err = b.started(ctx)
		}
		return err
	}},
}

func toImage2(ctx context.Context, b *bed) error { return b.image(ctx, "2") }

func moreMemory(ctx context.Context, b *bed) error {
	_, err := b.kubectl(ctx, "set", "resources", "statefulset/"+b.database.name, "-c", b.database.name, "--limits=memory=384Mi")
	return err
}

func drainMeanwhile(ctx context.Context, b *bed) error {
	if err := b.image(ctx, "2"); err != nil {
		return err
	}
	_, err := b.kubectl(ctx, "drain", "node-1", "--ignore-daemonsets", "--delete-emptydir-data", "--timeout=3m")
	time.Sleep(5 * time.Second) // somebody works on it
	_, back := b.kubectl(ctx, "uncordon", "node-1")
	return errors.Join(err, back)
}

// scaleAndRestart leaves members in the cluster whose pods are gone where nobody removes them: then it is one without a majority while another pod restarts.
func scaleAndRestart(ctx context.Context, b *bed) error {
	for _, size := range []string{"5", "3"} {
		if _, err := b.kubectl(ctx, "scale", "statefulset/etcd", "--replicas="+size); err != nil {
			return err
		}
		if _, err := b.settle(ctx); err != nil {
			return err
		}
	}
	if b.adapter != nil {
		if _, err := b.kubectl(ctx, "wait", "pvc/data-etcd-3", "pvc/data-etcd-4", "--for=delete", "--timeout="+stuck.String()); err != nil {
			return err
		}
	}
	followers, err := b.kubectl(ctx, "get", "pods", "-l", "role=follower", "-o", "name")
	if err != nil {
		return err
	}
	_, err = b.kubectl(ctx, "delete", strings.Fields(followers)[0])
	return err
}

// fillAndGrow asks for disks of 1 GiB. The set of the built-in controller cannot ask: somebody edits the claims by hand.
func fillAndGrow(ctx context.Context, b *bed) error {
	const storage = `{"spec":{"resources":{"requests":{"storage":"1Gi"}}}}`
	for n := range 3 {
		if _, err := b.kubectl(ctx, "exec", fmt.Sprintf("etcd-%d", n), "-c", "etcd", "--", "/setplan-etcd", "fill"); err != nil {
			return err
		}
	}
	if b.adapter != nil {
		if _, err := b.kubectl(ctx, "annotate", "statefulset", "etcd", `setplan.io/claim-templates={"data":`+storage+`}`); err != nil {
			return err
		}
	} else {
		b.byHand = "its claims were edited"
	}
	for n := range 3 {
		claim := fmt.Sprintf("pvc/data-etcd-%d", n)
		if b.adapter == nil {
			if _, err := b.kubectl(ctx, "patch", claim, "-p", storage); err != nil {
				return err
			}
		}
		if _, err := b.kubectl(ctx, "wait", claim, "--for=jsonpath={.status.capacity.storage}=1Gi", "--timeout="+stuck.String()); err != nil {
			return err
		}
	}
	return nil
}

func (b *bed) image(ctx context.Context, version string) error {
	_, err := b.kubectl(ctx, "set", "image", "statefulset/"+b.database.name, b.database.name+"=setplan.local/"+b.database.name+":"+version)
	return err
}

func (b *bed) local(ctx context.Context, what, component string) error {
	_, err := command(ctx, nil, b.program("setplan-local"), what, component, "--name", b.name)
	return err
}

// result is what a change cost.
type result struct {
	load.Report
	Took      time.Duration
	Restarted int    // members that run another container than before
	ByHand    string // what somebody had to do
}

func (r result) String() string {
	took := fmt.Sprintf("%.0f s", r.Took.Seconds())
	if r.ByHand != "" {
		took += ", by hand: " + r.ByHand
	}
	return fmt.Sprintf("%d lost, %d failed, longest %d ms, without %d ms, %d elections, %s, %d members restarted", len(r.Lost), r.Failed, r.Longest.Milliseconds(), r.Without.Milliseconds(), r.Elections, took, r.Restarted)
}

func (b *bed) measure(ctx context.Context, s scenario, run int) (result, error) {
	b.byHand = ""
	members := max(3, s.members)
	if err := b.deploy(ctx, members, s.annotations...); err != nil {
		return result{}, err
	}
	if err := b.database.prepare(ctx, b, run); err != nil {
		return result{}, err
	}
	before, err := b.started(ctx)
	if err != nil {
		return result{}, err
	}
	c, err := b.write(ctx, members)
	if err != nil {
		return result{}, err
	}
	time.Sleep(3 * time.Second)
	began := time.Now()
	if err := s.change(ctx, b); err != nil {
		return result{}, err
	}
	end, err := b.settle(ctx)
	if err == errStuck {
		b.byHand = "its pod was deleted"
		if _, err = b.kubectl(ctx, "delete", "pods", "--field-selector=status.phase!=Running"); err == nil {
			end, err = b.settle(ctx)
		}
	}
	if err != nil {
		return result{}, err
	}
	r := result{Took: end.Sub(began), ByHand: b.byHand}
	if r.Report, err = c.end(); err != nil {
		return result{}, err
	}
	if r.Restarted, err = b.restarted(ctx, before); err != nil {
		return result{}, err
	}
	return r, b.remove(ctx)
}

// client writes.
type client struct {
	*exec.Cmd
	out strings.Builder
}

// write starts the client, in the network of the nodes.
func (b *bed) write(ctx context.Context, members int) (*client, error) {
	path, err := command(ctx, nil, "cat", b.dir()+"/network.path")
	if err != nil {
		return nil, err
	}
	c := &client{Cmd: exec.CommandContext(ctx, "nsenter", "--net="+path, b.program(b.database.client), "write")}
	c.Env = []string{"SET=" + b.database.name, fmt.Sprintf("MEMBERS=%d", members), "NAMESPACE=" + b.space, "DNS=10.96.0.10:53"}
	c.Stdout, c.Stderr = &c.out, &c.out
	return c, c.Start()
}

// end stops it, and returns what it says.
func (c *client) end() (r load.Report, err error) {
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		return r, err
	}
	if err := c.Wait(); err != nil {
		return r, fmt.Errorf("the client: %w: %s", err, c.out.String())
	}
	return r, json.Unmarshal([]byte(c.out.String()), &r)
}

// table is what was found, by scenario and controller.
type table struct {
	order []string
	found map[string][]result
}

func (t *table) add(scenario, controller string, r result) {
	key := scenario + " | " + controller
	if t.found == nil {
		t.found = map[string][]result{}
	}
	if t.found[key] == nil {
		t.order = append(t.order, key)
	}
	t.found[key] = append(t.found[key], r)
}

// String is a page's table: medians, and the worst in brackets.
func (t table) String() string {
	var out strings.Builder
	out.WriteString("| change | controller | lost | failed | longest without a write, ms | sum, ms | elections | seconds | members restarted |\n|---|---|---|---|---|---|---|---|---|\n")
	slices.SortStableFunc(t.order, func(a, b string) int { return strings.Compare(before(a), before(b)) })
	for _, key := range t.order {
		all := t.found[key]
		column := func(of func(result) int) string {
			var values []int
			for _, r := range all {
				values = append(values, of(r))
			}
			slices.Sort(values)
			return fmt.Sprintf("%d (%d)", values[len(values)/2], values[len(values)-1])
		}
		seconds := column(func(r result) int { return int(r.Took.Seconds()) })
		if at := slices.IndexFunc(all, func(r result) bool { return r.ByHand != "" }); at >= 0 {
			seconds += ", by hand: " + all[at].ByHand
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", key,
			column(func(r result) int { return len(r.Lost) }), column(func(r result) int { return r.Failed }),
			column(func(r result) int { return int(r.Longest.Milliseconds()) }), column(func(r result) int { return int(r.Without.Milliseconds()) }),
			column(func(r result) int { return r.Elections }), seconds, column(func(r result) int { return r.Restarted }))
	}
	return out.String()
}

func before(key string) string {
	scenario, _, _ := strings.Cut(key, " | ")
	return scenario
}
