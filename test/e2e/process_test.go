//go:build e2e

package e2e

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// binDir holds the programs under test; `make e2e` builds them there.
func binDir() string {
	if dir := os.Getenv("SETPLAN_BIN"); dir != "" {
		return dir
	}
	dir, _ := filepath.Abs("../../bin")
	return dir
}

func program(name string) string { return filepath.Join(binDir(), name) }

// process is one of our programs, running beside the tests.
type process struct {
	cmd  *exec.Cmd
	log  string
	done chan struct{}
}

// start runs a program with its output in a log file.
func start(log, name string, args ...string) (*process, error) {
	return startFile(log, program(name), args...)
}

// startFile does the same with the path of a program.
func startFile(log, path string, args ...string) (*process, error) {
	out, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, args...)
	cmd.Stdout, cmd.Stderr = out, out
	// The children must end with a test binary that is killed.
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	p := &process{cmd: cmd, log: log, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // the log says how it ended
		out.Close()
		secrets.inLog(log)
		close(p.done)
	}()
	return p, nil
}

// kill sends SIGKILL: the program finishes and logs nothing more.
func (p *process) kill() { p.signal(syscall.SIGKILL) }

// stop asks the program to end, and returns when it has.
func (p *process) stop() {
	secrets.inAnswers(p)
	p.signal(syscall.SIGTERM)
}

func (p *process) signal(s syscall.Signal) {
	_ = p.cmd.Process.Signal(s) // an ended process cannot be signalled
	select {
	case <-p.done:
	case <-time.After(busy * 30 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.done
	}
}

func (p *process) running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// busy multiplies all time limits, for a machine that does other work too. Limits only end what hangs; they measure nothing.
const busy = 5

// waitForLog returns the first line of the log that contains a text.
func (p *process) waitForLog(text string, timeout time.Duration) (string, error) {
	timeout *= busy
	deadline := time.Now().Add(timeout)
	for time.Now().Before(deadline) {
		file, err := os.Open(p.log)
		if err != nil {
			return "", err
		}
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if strings.Contains(lines.Text(), text) {
				file.Close()
				return lines.Text(), nil
			}
		}
		file.Close()
		if !p.running() {
			return "", fmt.Errorf("the program ended before it said %q: %s", text, p.tail())
		}
		time.Sleep(20 * time.Millisecond)
	}
	return "", fmt.Errorf("the program has not said %q within %v: %s", text, timeout, p.tail())
}

func (p *process) tail() string {
	text, _ := os.ReadFile(p.log)
	if len(text) > 2000 {
		text = text[len(text)-2000:]
	}
	return string(text)
}

// run runs a program to its end and returns its standard output.
func run(ctx context.Context, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program(name), args...)
	cmd.Env = append(os.Environ(), env...)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String(), fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, stderr.String())
	}
	return stdout.String(), nil
}

// eventually repeats a check until it returns nil.
func eventually(t testing.TB, timeout time.Duration, what string, check func() error) {
	t.Helper()
	timeout *= busy
	deadline := time.Now().Add(timeout)
	for pause := 50 * time.Millisecond; ; pause = min(pause*5/4, time.Second/2) { // checks run programs, and many tests wait at once
		err := check()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %v: %v", what, timeout, err)
		}
		time.Sleep(pause)
	}
}
