package process

import (
	"errors"
	"fmt"
	"syscall"
	"time"
)

// poll is how often a stopping process is looked at.
const poll = 20 * time.Millisecond

// Stop asks the process to end, and ends it by force after the grace. It
// returns when the process is gone, at once when it already was.
func (h Handle) Stop(grace time.Duration) error {
	if err := h.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	if h.waitGone(grace) {
		return nil
	}
	if err := h.Signal(syscall.SIGKILL); err != nil {
		return err
	}
	if h.waitGone(10 * time.Second) {
		return nil
	}
	return fmt.Errorf("pid %d is still there after SIGKILL", h.PID)
}

// Signal looks at the identity right before it signals, so that a process that
// took over a recorded pid is left alone.
func (h Handle) Signal(sig syscall.Signal) error {
	if !h.Alive() {
		return nil
	}
	if err := syscall.Kill(h.PID, sig); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("send %v to pid %d: %w", sig, h.PID, err)
	}
	return nil
}

func (h Handle) waitGone(limit time.Duration) bool {
	for deadline := time.Now().Add(limit); h.Alive(); time.Sleep(poll) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}
