package testbed

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// The memory of the server's container in deploy/manifests, and its GOMEMLIMIT.
const (
	ServerMemory = 1 << 30
	softMemory   = "768MiB"
)

// Server is a setplan-server with the shipped memory limit.
type Server struct {
	Address string // where it plans
	Monitor string // where it serves metrics and its health

	command *exec.Cmd
	ended   chan error
}

var listening = regexp.MustCompile(`msg=listening addr=(\S+) metrics_addr=(\S+)`)

// LaunchServer starts a program that listens on an address, whose port may be 0. args are further flags.
func LaunchServer(program, address string, args ...string) (*Server, error) {
	args = append([]string{"--listen-address=" + address, "--metrics-address=127.0.0.1:0"}, args...)
	p := &Server{command: exec.Command(program, args...), ended: make(chan error, 1)}
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
	for p.Address == "" {
		line, err := lines.ReadString('\n')
		said.WriteString(line)
		if found := listening.FindStringSubmatch(line); found != nil {
			p.Address, p.Monitor = found[1], found[2]
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

// guard is the container's limit: it kills a process that exceeds it, as the kernel would.
func (p *Server) guard() {
	for {
		time.Sleep(10 * time.Millisecond)
		peak, err := p.Memory()
		if err != nil {
			return // the process has ended
		}
		if peak > ServerMemory {
			p.Kill()
			return
		}
	}
}

// Memory is the most memory that the process has had resident, in bytes.
func (p *Server) Memory() (int64, error) { return Peak([]int{p.command.Process.Pid}) }

// CPU is the processor time that the process has used.
func (p *Server) CPU() (time.Duration, error) { return CPU([]int{p.command.Process.Pid}) }

// Metrics reads a metric's sum over all its series.
func (p *Server) Metrics(ctx context.Context, name string) (float64, error) {
	m, err := readMetrics(ctx, http.DefaultClient, "http://"+p.Monitor+"/metrics")
	return m.sum(name), err
}

// Kill ends the process at once.
func (p *Server) Kill() { _ = p.command.Process.Kill() } // an ended process cannot be killed

// Crash kills the process and waits until it has ended.
func (p *Server) Crash() {
	p.Kill()
	<-p.ended
}

// maxEnd is how long End waits.
const maxEnd = 42 * time.Second

// End tells the process to end and returns how long that took.
func (p *Server) End() (time.Duration, error) {
	began := time.Now()
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		return 0, fmt.Errorf("the server had ended before: %w", errors.Join(err, <-p.ended))
	}
	select {
	case err := <-p.ended:
		return time.Since(began), err
	case <-time.After(maxEnd):
		return time.Since(began), errors.Join(p.command.Process.Kill(), <-p.ended)
	}
}
