package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/setplan/setplan/deploy/local/internal/process"
)

// startTimeout is for one component on a machine that is busy with tests.
const startTimeout = 5 * time.Minute

// errEnded is why a component that has ended while it started is not ready.
var errEnded = errors.New("it ended")

// start runs a component and waits until it is ready.
func (i *Instance) start(ctx context.Context, c Component) error {
	return again(c.starts(), func() error { return i.startOnce(ctx, c) })
}

// again starts something that ends while it starts, so often at most; any other failure is final.
func again(starts int, start func() error) (err error) {
	for range starts {
		if err = start(); !errors.Is(err, errEnded) {
			break
		}
	}
	return err
}

func (i *Instance) startOnce(ctx context.Context, c Component) error {
	_ = os.Remove(i.readyFile(c)) // of a run before
	h, exited, err := process.Start(process.Command{
		Path:    filepath.Join(i.BinDir, c.program()),
		Args:    i.args(c),
		Dir:     i.dir,
		LogPath: i.LogPath(c),
	})
	if err != nil {
		return fmt.Errorf("start %s: %w%s", c, err, i.lastLines(c))
	}
	if err := i.record(c, h); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	ended := make(chan struct{})
	go func() {
		<-exited
		close(ended)
		cancel()
	}()
	if err := poll(ctx, func() error { return i.ready(ctx, c) }); err != nil {
		select {
		case <-ended:
			return fmt.Errorf("start %s: %w%s", c, errEnded, i.lastLines(c))
		default:
			return fmt.Errorf("start %s: not ready: %w%s", c, err, i.lastLines(c))
		}
	}
	return nil
}

// stop ends a component, when it runs.
func (i *Instance) stop(c Component) error {
	recorded, err := i.pids()
	if err != nil {
		return err
	}
	if err := recorded[c].Stop(c.grace()); err != nil {
		return fmt.Errorf("stop %s: %w", c, err)
	}
	return i.record(c, process.Handle{})
}

// stopAll ends every component, clients first.
func (i *Instance) stopAll() error {
	for _, c := range slices.Backward(i.possible()) {
		if err := i.stop(c); err != nil {
			return err
		}
	}
	return nil
}

// lastLines is the end of a component's log, for an error's text.
func (i *Instance) lastLines(c Component) string {
	data, err := os.ReadFile(i.LogPath(c))
	if err != nil || len(data) == 0 {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	lines = lines[max(0, len(lines)-5):]
	return fmt.Sprintf("\n--- %s\n%s", i.LogPath(c), strings.Join(lines, "\n"))
}
