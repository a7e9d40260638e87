package scale

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// place is a control plane with many sets, which sides use in turns.
type place struct {
	*testbed.ControlPlane
	*options
	every   members
	sets    members // the sets created so far
	results *results

	namespaces map[string]bool
	pattern    *pattern
	edition    int // counts the edits, so that each differs from the last
}

// all reports whether every set is there; before that, only the growth of cost is measured.
func (p *place) all() bool { return len(p.sets) == len(p.every) }

func (p *place) measure(ctx context.Context, s *testbed.Side) error {
	began := time.Now()
	for _, of := range []func(context.Context, *testbed.Side) error{p.life, p.restart} {
		if err := errors.Join(p.calm(ctx), of(ctx, s)); err != nil {
			return fmt.Errorf("%s, %d sets: %w", s.Name, len(p.sets), err)
		}
	}
	fmt.Printf("  %-8s %d sets, %.0f s in all\n", s.Name, len(p.sets), time.Since(began).Seconds())
	return nil
}

// life is a start and what follows it.
func (p *place) life(ctx context.Context, s *testbed.Side) (err error) {
	log, err := testbed.FollowAudit(p.AuditLog())
	if err != nil {
		return err
	}
	defer log.Close()
	r, err := s.Start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Stop()) }()
	if err := p.start(ctx, s, r, log); err != nil || !p.all() {
		return err
	}
	for _, later := range []struct {
		scenario string
		do       func(context.Context, *testbed.Side, *testbed.Running) error
	}{{"rest", p.atRest}, {"edits", p.editsAtRest}, {"rolling", p.roll}} {
		if !p.Picks(later.scenario) {
			continue
		}
		if err := later.do(ctx, s, r); err != nil {
			return fmt.Errorf("%s: %w", later.scenario, err)
		}
	}
	return nil
}

// start measures the first look at every set.
func (p *place) start(ctx context.Context, s *testbed.Side, r *testbed.Running, log *testbed.Audit) error {
	looked, err := firstLook(ctx, r, len(p.sets))
	if err != nil {
		return err
	}
	if err := r.Ready(ctx); err != nil {
		return err
	}
	time.Sleep(settled)
	sent := testbed.Requests{}
	err = log.Read(func(line *testbed.AuditLine) {
		if line.User.Username == s.User && line.RequestReceivedTimestamp.Before(looked.at) {
			sent.Add(line)
		}
	})
	if err != nil {
		return err
	}
	memory, errMemory := testbed.Resident(r.Pids)
	peak, errPeak := testbed.Peak(r.Pids)
	if err := errors.Join(errMemory, errPeak); err != nil {
		return err
	}
	if !p.Picks("start") {
		return nil
	}
	p.report(s, "start", "wall", looked.at.Sub(r.Began).Seconds())
	p.report(s, "start", "cpu", looked.cpu.Seconds())
	p.report(s, "start", "requests", float64(sent.Reads()+sent.Writes()))
	p.report(s, "start", "memory", float64(memory)/(1<<20))
	p.report(s, "start", "peak", float64(peak)/(1<<20))
	fmt.Printf("    requests: %s\n", sent)
	return nil
}

// atRest measures a side while nothing happens.
func (p *place) atRest(ctx context.Context, s *testbed.Side, r *testbed.Running) error {
	before, err := testbed.CPU(r.Pids)
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(p.rest):
	}
	after, errCPU := testbed.CPU(r.Pids)
	memory, errMemory := testbed.Resident(r.Pids)
	p.report(s, "rest", "cpu", (after - before).Seconds())
	p.report(s, "rest", "memory", float64(memory)/(1<<20))
	return errors.Join(errCPU, errMemory)
}

func (p *place) editsAtRest(ctx context.Context, s *testbed.Side, _ *testbed.Running) error {
	waits, err := p.edit(ctx, s)
	if err == nil {
		p.reportWaits(s, "edits", waits)
	}
	return err
}

// restart measures edits that begin when the side's processes start.
func (p *place) restart(ctx context.Context, s *testbed.Side) (err error) {
	if !p.all() || !p.Picks("restart") {
		return nil
	}
	r, err := s.Start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Stop()) }()
	waits, err := p.edit(ctx, s)
	if err != nil {
		return fmt.Errorf("restart: %w", err)
	}
	p.reportWaits(s, "restart", waits)
	_, err = firstLook(ctx, r, len(p.sets)) // the next side gets the same control plane
	return err
}

func (p *place) reportWaits(s *testbed.Side, scenario string, waits []float64) {
	p.report(s, scenario, "p50", testbed.Percentile(waits, 50))
	p.report(s, scenario, "p99", testbed.Percentile(waits, 99))
}

func (p *place) report(s *testbed.Side, scenario, measure string, value float64) {
	fmt.Printf("    %-8s %s %s %.2f\n", s.Name, scenario, measure, value)
	p.results.add(key{len(p.sets), scenario, measure}, s.Name, value)
}
