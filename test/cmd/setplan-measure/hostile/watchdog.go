package hostile

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"time"

	"github.com/prometheus/procfs"
)

// watchdog kills a process that uses more memory than it may, as a container's limit does, on machines where we cannot set one.
type watchdog struct {
	pid  int
	most int64 // bytes
	seen atomic.Int64
	dead chan struct{} // closed when it is killed
	end  context.CancelFunc
}

var errTooMuch = errors.New("the controller has taken more memory than it may, and was killed")

func watch(pid int, most int64) *watchdog {
	watching, end := context.WithCancel(context.Background())
	w := &watchdog{pid: pid, most: most, dead: make(chan struct{}), end: end}
	go w.watch(watching)
	return w
}

func (w *watchdog) watch(ctx context.Context) {
	for every := time.NewTicker(50 * time.Millisecond); ctx.Err() == nil; <-every.C {
		resident, err := residentOf(w.pid)
		if err != nil {
			return // the process has ended
		}
		w.seen.Store(max(w.seen.Load(), resident))
		if resident > w.most {
			if process, err := os.FindProcess(w.pid); err == nil {
				_ = process.Kill()
			}
			close(w.dead)
			return
		}
	}
}

// peak is the most memory seen, in bytes.
func (w *watchdog) peak() int64 { return w.seen.Load() }

// exceeded returns an error once the process was killed.
func (w *watchdog) exceeded() error {
	select {
	case <-w.dead:
		return errTooMuch
	default:
		return nil
	}
}

// whileAlive returns a context that ends when the process is killed.
func (w *watchdog) whileAlive(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-w.dead:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// residentOf is the memory that a process has resident now, in bytes.
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
