package hostile

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// limited is an adapter with the planner in its process and a memory limit.
type limited struct {
	*testbed.Process
	*watchdog
}

// startLimited starts an adapter with its default limits for the API server: those are part of what is measured.
func startLimited(ctx context.Context, plane *testbed.ControlPlane, o *options) (*limited, error) {
	p, err := plane.Background([]string{fmt.Sprintf("GOMEMLIMIT=%dMiB", o.memory*3/4)}, o.adapter,
		"--kubeconfig", filepath.Join(plane.Folder, "adapter.kubeconfig"), "--own", "apps/v1", "--embedded",
		"--leader-elect=false", "--log-format", "json")
	if err != nil {
		return nil, err
	}
	l := &limited{p, watch(p.Pid, int64(o.memory)<<20)}
	if _, err := p.WaitForLog(ctx, testbed.Working); err != nil {
		return nil, errors.Join(err, l.stop())
	}
	return l, nil
}

func (l *limited) stop() error {
	l.end()
	if err := l.Stop(); err != nil && l.exceeded() == nil {
		return err
	}
	return nil
}
