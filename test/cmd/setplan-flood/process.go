package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
)

// process is a setplan-server with the shipped memory limit, in plaintext on loopback as in the shipped pod.
type process struct {
	command          *exec.Cmd
	address, metrics string
	ended            chan error
}

var listening = regexp.MustCompile(`msg=listening addr=(\S+) metrics_addr=(\S+)`)

func launch(program string) (*process, error) {
	p := &process{command: exec.Command(program, "--listen-address=127.0.0.1:0", "--metrics-address=127.0.0.1:0"), ended: make(chan error, 1)}
	p.command.Env = append(os.Environ(), "GOMEMLIMIT="+softMemory)
	log, err := p.command.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(log)
	var said strings.Builder
	for p.address == "" {
		line, err := lines.ReadString('\n')
		said.WriteString(line)
		if found := listening.FindStringSubmatch(line); found != nil {
			p.address, p.metrics = found[1], found[2]
		} else if err != nil {
			return nil, errors.Join(fmt.Errorf("%s ended: %s", program, &said), p.command.Wait())
		}
	}
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		p.ended <- p.command.Wait()
	}()
	go p.guard()
	return p, nil
}

// guard is the container's limit: it kills a process that passes it, as the kernel would.
func (p *process) guard() {
	for {
		time.Sleep(10 * time.Millisecond)
		peak, err := p.memory()
		if err != nil {
			return // it has ended
		}
		if peak > maxMemory {
			_ = p.command.Process.Kill()
			return
		}
	}
}

// memory is the most that the process has had resident.
func (p *process) memory() (int64, error) {
	proc, err := procfs.NewProc(p.command.Process.Pid)
	if err != nil {
		return 0, err
	}
	status, err := proc.NewStatus()
	return int64(status.VmHWM), err
}

// cpu is the processor time that it has used.
func (p *process) cpu() (time.Duration, error) {
	proc, err := procfs.NewProc(p.command.Process.Pid)
	if err != nil {
		return 0, err
	}
	stat, err := proc.Stat()
	return time.Duration(stat.CPUTime() * float64(time.Second)), err
}

// end tells the process to end and says how long it took.
func (p *process) end() (time.Duration, error) {
	began := time.Now()
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		return 0, fmt.Errorf("the server had ended before: %w", errors.Join(err, <-p.ended))
	}
	select {
	case err := <-p.ended:
		return time.Since(began), err
	case <-time.After(2 * maxSigterm):
		return time.Since(began), errors.Join(p.command.Process.Kill(), <-p.ended)
	}
}
