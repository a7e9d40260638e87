package compare

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// rest is how long a side must send nothing to count as at rest. Events are sent in the background, after the work.
const rest = time.Second

// controlPlane is where the sides work.
type controlPlane struct{ *testbed.ControlPlane }

// measure lets a side do a scenario once. Its processes are new, so their peak memory is the scenario's.
func measure(ctx context.Context, p *controlPlane, s *testbed.Side, scenario scenario) (c cost, err error) {
	u, err := p.newUser(ctx, scenario)
	if err != nil {
		return c, err
	}
	defer func() {
		if leaveErr := u.leave(ctx); err == nil {
			err = leaveErr
		}
	}()
	work := u.create
	if scenario.update {
		if _, err := p.observe(ctx, s, u.create); err != nil {
			return c, fmt.Errorf("preparation: %w", err)
		}
		work = u.update
	}
	return p.observe(ctx, s, work)
}

// observe starts a side, and measures it from rest to rest while it works.
func (p *controlPlane) observe(ctx context.Context, s *testbed.Side, work func(context.Context) (taken, error)) (c cost, err error) {
	r, err := s.Start(ctx)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, r.Stop()) }()
	if err := r.Ready(ctx); err != nil {
		return c, err
	}
	if _, err := p.untilRest(ctx, s, nil); err != nil {
		return c, err
	}
	server, err := p.PidOf("apiserver")
	if err != nil {
		return c, err
	}
	before, err := testbed.CPU(r.Pids)
	if err != nil {
		return c, err
	}
	serverBefore, err := testbed.CPU([]int{server})
	if err != nil {
		return c, err
	}
	c.requests, err = p.untilRest(ctx, s, func() error {
		took, err := work(ctx)
		c.wall, c.rollouts = took.all, took.each
		return err
	})
	if err != nil {
		return c, err
	}
	after, err := testbed.CPU(r.Pids)
	if err != nil {
		return c, err
	}
	serverAfter, err := testbed.CPU([]int{server})
	if err != nil {
		return c, err
	}
	c.cpu, c.server = after-before, serverAfter-serverBefore
	c.rss, err = testbed.Peak(r.Pids)
	return c, err
}

// untilRest calls do, if it is not nil, waits until the side sends nothing more, and returns what the side has sent meanwhile.
func (p *controlPlane) untilRest(ctx context.Context, s *testbed.Side, do func() error) (testbed.Requests, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	log, err := testbed.FollowAudit(p.AuditLog())
	if err != nil {
		return nil, err
	}
	defer log.Close()
	if do != nil {
		if err := do(); err != nil {
			return nil, err
		}
	}
	sent := testbed.Requests{}
	for quiet := time.Now(); time.Since(quiet) < rest; {
		err := log.Read(func(line *testbed.AuditLine) {
			if line.User.Username == s.User {
				sent.Add(line)
				quiet = time.Now()
			}
		})
		if err != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%s does not come to rest: %w", s.Name, ctx.Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
	return sent, nil
}
