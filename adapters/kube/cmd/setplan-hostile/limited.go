package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/prometheus/procfs"

	"github.com/setplan/setplan/adapters/kube/cmd/internal/testbed"
)

// limited is an adapter, with the planner in its process, that is killed when it takes more memory than it may: what a
// container's limit does, on machines where nobody may set one.
type limited struct {
	*testbed.Process
	most int64 // bytes
	seen atomic.Int64
	dead chan struct{} // closed when it is killed
	end  context.CancelFunc
}

var errTooMuch = errors.New("the adapter has taken more memory than it may, and was killed")

// startLimited starts an adapter with its own limits for the API server: those are part of what is measured.
func startLimited(ctx context.Context, plane *testbed.ControlPlane, o *options) (*limited, error) {
	p, err := plane.Background([]string{fmt.Sprintf("GOMEMLIMIT=%dMiB", o.memory*3/4)}, o.adapter,
		"--kubeconfig", filepath.Join(plane.Folder, "adapter.kubeconfig"), "--own", "apps/v1", "--embedded",
		"--leader-elect=false", "--log-format", "json")
	if err != nil {
		return nil, err
	}
	watching, end := context.WithCancel(context.Background())
	l := &limited{Process: p, most: int64(o.memory) << 20, dead: make(chan struct{}), end: end}
	go l.watch(watching)
	if _, err := p.WaitForLog(ctx, `"msg":"working"`); err != nil {
		return nil, errors.Join(err, l.stop())
	}
	return l, nil
}

func (l *limited) watch(ctx context.Context) {
	for every := time.NewTicker(50 * time.Millisecond); ctx.Err() == nil; <-every.C {
		resident, err := residentOf(l.Pid)
		if err != nil {
			return // it has ended
		}
		l.seen.Store(max(l.seen.Load(), resident))
		if resident > l.most {
			if process, err := os.FindProcess(l.Pid); err == nil {
				_ = process.Kill()
			}
			close(l.dead)
			return
		}
	}
}

// peak is the most memory that it was seen with.
func (l *limited) peak() int64 { return l.seen.Load() }

// exceeded is an error once the adapter was killed.
func (l *limited) exceeded() error {
	select {
	case <-l.dead:
		return errTooMuch
	default:
		return nil
	}
}

// whileAlive is a context that ends when the adapter is killed.
func (l *limited) whileAlive(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-l.dead:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

func (l *limited) stop() error {
	l.end()
	if err := l.Stop(); err != nil && l.exceeded() == nil {
		return err
	}
	return nil
}

// residentOf is what a process has in memory now, in bytes.
func residentOf(pid int) (int64, error) {
	proc, err := procfs.NewProc(pid)
	if err != nil {
		return 0, err
	}
	status, err := proc.NewStatus()
	if err == nil && status.VmRSS == 0 {
		err = errors.New("the process has no memory any more")
	}
	return int64(status.VmRSS), err
}
