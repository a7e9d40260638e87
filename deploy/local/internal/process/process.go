// Package process starts programs that outlive their starter, and stops them
// later from another process, without ever signalling a stranger.
package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// Command is one program to start.
type Command struct {
	Path string
	Args []string
	Dir  string
	// LogPath takes stdout and stderr, appended to what is there.
	LogPath string
}

// Handle identifies a started process for good: a pid alone is reused by the
// kernel, a pid with the moment it was started at is not.
type Handle struct {
	PID   int    `json:"pid"`
	Start string `json:"start"`
}

// Start runs the command in a session of its own, so that it survives this
// process and its terminal. The channel gets the exit when the process ends
// while this one is still there to see it.
func Start(c Command) (Handle, <-chan error, error) {
	log, err := os.OpenFile(c.LogPath, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return Handle{}, nil, fmt.Errorf("open log: %w", err)
	}
	defer log.Close()

	cmd := exec.Command(c.Path, c.Args...)
	cmd.Dir = c.Dir
	cmd.Stdout = log
	cmd.Stderr = log
	// Nothing of the caller's own configuration (KUBECONFIG, ETCD_*, KWOK_*,
	// files in the home folder) may reach a throw-away control plane.
	cmd.Env = []string{"HOME=" + c.Dir, "PATH=" + os.Getenv("PATH")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return Handle{}, nil, fmt.Errorf("start %s: %w", c.Path, err)
	}

	start, err := startOf(cmd.Process.Pid)
	if err != nil {
		_ = cmd.Process.Kill()
		return Handle{}, nil, fmt.Errorf("identify %s: %w", c.Path, errors.Join(err, cmd.Wait()))
	}
	exited := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		if err == nil {
			err = fmt.Errorf("exit status 0")
		}
		exited <- err
	}()
	return Handle{PID: cmd.Process.Pid, Start: start}, exited, nil
}

// Alive says whether this very process still runs. A process that has ended
// and waits for its parent counts as dead, and so does a stranger that has got
// the same pid.
func (h Handle) Alive() bool {
	if h.PID <= 0 || h.Start == "" {
		return false
	}
	start, err := startOf(h.PID)
	return err == nil && start == h.Start
}
