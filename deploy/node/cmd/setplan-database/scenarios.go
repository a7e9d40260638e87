package main

import (
	"context"
	"encoding/json"
	"fmt"
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
	annotations []string // of the set, for Setplan; the built-in controller does not know them
	change      func(ctx context.Context, b *bed) error
}

var scenarios = []scenario{
	{"image", nil, func(ctx context.Context, b *bed) error { return b.image(ctx, "2") }},
	{"image in place", []string{"setplan.io/in-place=InPlaceIfPossible"}, func(ctx context.Context, b *bed) error { return b.image(ctx, "2") }},
	{"memory raised", []string{"setplan.io/in-place=InPlaceIfPossible"}, func(ctx context.Context, b *bed) error {
		_, err := b.kubectl(ctx, "set", "resources", "statefulset/"+b.database.name, "-c", b.database.name, "--limits=memory=384Mi")
		return err
	}},
	{"bad image, corrected", nil, func(ctx context.Context, b *bed) error {
		if err := b.image(ctx, "missing"); err != nil {
			return err
		}
		time.Sleep(20 * time.Second)
		return b.image(ctx, "2")
	}},
	{"kubelet gone for a minute", nil, func(ctx context.Context, b *bed) error {
		if err := b.local(ctx, "stop", "kubelet-1"); err != nil {
			return err
		}
		time.Sleep(time.Minute)
		return b.local(ctx, "start", "kubelet-1")
	}},
	{"node restarted", nil, func(ctx context.Context, b *bed) error { return b.local(ctx, "restart", "node-1") }},
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
	Lost, Failed     int
	Longest, Without time.Duration
	Elections        int
	Took             time.Duration
	Started          int // members that run another container than before
	Helped           bool
}

func (r result) String() string {
	took := fmt.Sprintf("%.0f s", r.Took.Seconds())
	if r.Helped {
		took = "needs a hand"
	}
	return fmt.Sprintf("%d lost, %d failed, longest %d ms, without %d ms, %d elections, %s, %d members restarted", r.Lost, r.Failed, r.Longest.Milliseconds(), r.Without.Milliseconds(), r.Elections, took, r.Started)
}

func (b *bed) measure(ctx context.Context, s scenario, run int) (result, error) {
	if err := b.deploy(ctx, s.annotations...); err != nil {
		return result{}, err
	}
	if err := b.database.prepare(ctx, b, run); err != nil {
		return result{}, err
	}
	before, err := b.started(ctx)
	if err != nil {
		return result{}, err
	}
	client, report, err := b.write(ctx)
	if err != nil {
		return result{}, err
	}
	time.Sleep(3 * time.Second)
	began := time.Now()
	if err := s.change(ctx, b); err != nil {
		return result{}, err
	}
	var r result
	if err := b.settle(ctx); err == errStuck {
		r.Helped = true
		if _, err := b.kubectl(ctx, "delete", "pods", "--field-selector=status.phase!=Running"); err != nil {
			return result{}, err
		}
		if err := b.settle(ctx); err != nil {
			return result{}, err
		}
	} else if err != nil {
		return result{}, err
	}
	r.Took = time.Since(began)
	time.Sleep(2 * time.Second)
	if err := client.Process.Signal(syscall.SIGTERM); err != nil {
		return result{}, err
	}
	if err := client.Wait(); err != nil {
		return result{}, fmt.Errorf("the client: %w: %s", err, report)
	}
	var found load.Report
	if err := json.Unmarshal([]byte(report.String()), &found); err != nil {
		return result{}, err
	}
	r.Lost, r.Failed, r.Longest, r.Without, r.Elections = len(found.Lost), found.Failed, found.Longest, found.Without, found.Elections
	after, err := b.started(ctx)
	if err != nil {
		return result{}, err
	}
	for id := range after {
		if !before[id] {
			r.Started++
		}
	}
	return r, b.remove(ctx)
}

// write starts the client, in the network of the nodes.
func (b *bed) write(ctx context.Context) (*exec.Cmd, *strings.Builder, error) {
	path, err := command(ctx, nil, "cat", b.dir()+"/network.path")
	if err != nil {
		return nil, nil, err
	}
	var report strings.Builder
	cmd := exec.CommandContext(ctx, "nsenter", "--net="+path, b.program(b.database.client), "write")
	cmd.Env = []string{"SET=" + b.database.name, "MEMBERS=3", "NAMESPACE=" + b.space, "DNS=10.96.0.10:53"}
	cmd.Stdout, cmd.Stderr = &report, &report
	return cmd, &report, cmd.Start()
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
		if slices.ContainsFunc(all, func(r result) bool { return r.Helped }) {
			seconds = "never, until its pod was deleted by hand"
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", key,
			column(func(r result) int { return r.Lost }), column(func(r result) int { return r.Failed }),
			column(func(r result) int { return int(r.Longest.Milliseconds()) }), column(func(r result) int { return int(r.Without.Milliseconds()) }),
			column(func(r result) int { return r.Elections }), seconds, column(func(r result) int { return r.Started }))
	}
	return out.String()
}

func before(key string) string {
	scenario, _, _ := strings.Cut(key, " | ")
	return scenario
}
