package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"github.com/setplan/setplan/server"
)

// process is a separate setplan-server process, so that its memory is only its own.
type process struct {
	command          *exec.Cmd
	address, metrics string
}

// listening is the line of the log that names the addresses.
var listening = regexp.MustCompile(`msg=listening addr=(\S+) metrics_addr=(\S+)`)

// launch starts the program on free ports of loopback, with TLS and the log as they are by default.
func launch(program string, tls server.TLSFiles) (*process, error) {
	p := &process{command: exec.Command(program, "--listen-address=127.0.0.1:0", "--metrics-address=127.0.0.1:0",
		"--tls-cert-file="+tls.CertFile, "--tls-key-file="+tls.KeyFile)}
	log, err := p.command.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(log)
	var said strings.Builder
	for {
		line, err := lines.ReadString('\n')
		said.WriteString(line)
		if found := listening.FindStringSubmatch(line); found != nil {
			p.address, p.metrics = found[1], found[2]
			break
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s ended: %s", program, &said), p.command.Wait())
		}
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return p, nil
}

// allocations is how many objects the process has allocated so far.
func (p *process) allocations() (float64, error) {
	const metric = "\ngo_memstats_mallocs_total "
	answer, err := http.Get("http://" + p.metrics + "/metrics")
	if err != nil {
		return 0, err
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err
	}
	_, rest, found := strings.Cut(string(text), metric)
	value, _, _ := strings.Cut(rest, "\n")
	if !found {
		return 0, fmt.Errorf("no metric %s", strings.TrimSpace(metric))
	}
	return strconv.ParseFloat(value, 64)
}

// peakMemory is the most memory that the process ever had resident, in bytes. (Its resource usage would include what this
// process had when it started it.)
func (p *process) peakMemory() (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		return 0, fmt.Errorf("peak memory, which only Linux reports: %w", err)
	}
	_, rest, _ := strings.Cut(string(status), "\nVmHWM:")
	var kilobytes int64
	_, err = fmt.Sscanf(rest, "%d kB", &kilobytes)
	return kilobytes << 10, err
}

func (p *process) end() error {
	return errors.Join(p.command.Process.Signal(syscall.SIGTERM), p.command.Wait())
}
