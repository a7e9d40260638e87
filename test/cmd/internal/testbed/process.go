package testbed

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Process is one of our programs, running beside this one.
type Process struct {
	Pid int

	cmd *exec.Cmd
	log string
}

func start(cmd *exec.Cmd, log string) (*Process, error) {
	out, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	// A separate session: Ctrl-C is for this program, which then stops the others in order. They must not outlive it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	return &Process{Pid: cmd.Process.Pid, cmd: cmd, log: log}, nil
}

// Stop asks the process to end, and kills it after ten seconds.
func (p *Process) Stop() error {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // an ended process cannot be signalled
	timer := time.AfterFunc(10*time.Second, func() { _ = p.cmd.Process.Kill() })
	defer timer.Stop()
	// A program without a handler of its own ends by the signal, or, as Java's do, says so in its code.
	if err := p.cmd.Wait(); err != nil && p.cmd.ProcessState.ExitCode() != 128+int(syscall.SIGTERM) {
		return fmt.Errorf("%s: %w: see %s", filepath.Base(p.cmd.Path), err, p.log)
	}
	return nil
}

// WaitForLog returns the first line of the log that contains a text.
func (p *Process) WaitForLog(ctx context.Context, text string) (string, error) {
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline) && ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		line, err := firstLine(p.log, text)
		if line != "" || err != nil {
			return line, err
		}
	}
	return "", fmt.Errorf("%s has not logged %s: see %s", filepath.Base(p.cmd.Path), text, p.log)
}

func firstLine(path, text string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if strings.Contains(lines.Text(), text) {
			return lines.Text(), nil
		}
	}
	return "", nil
}

// Address is the address with the port that a server has chosen.
func (p *Process) Address(ctx context.Context) (string, error) {
	text, err := p.WaitForLog(ctx, `"msg":"listening"`)
	if err != nil {
		return "", err
	}
	var line struct{ Addr string }
	if err := json.Unmarshal([]byte(text), &line); err != nil || line.Addr == "" {
		return "", fmt.Errorf("no address in %s", text)
	}
	return line.Addr, nil
}
