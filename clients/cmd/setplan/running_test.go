package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience limits the wait for output. Nothing is measured by it.
const patience = 90 * time.Second

// programEnvironment makes the test's binary run as the program, without the user's kubeconfig.
func programEnvironment(t *testing.T) []string {
	t.Helper()
	environment := []string{asProgram + "=yes", "KUBECONFIG=" + filepath.Join(t.TempDir(), "none"), "HOME=" + t.TempDir()}
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if name != "KUBECONFIG" && name != "HOME" && name != "TERM" && name != "NO_COLOR" {
			environment = append(environment, variable)
		}
	}
	return environment
}

// running is a started program and its output.
type running struct {
	t       *testing.T
	command *exec.Cmd
	ended   chan struct{}

	mu      sync.Mutex
	written strings.Builder
	news    chan struct{}
	err     error
}

// start starts a command whose output can be read from a reader.
func start(t *testing.T, command *exec.Cmd, output io.Reader) *running {
	t.Helper()
	r := &running{t: t, command: command, ended: make(chan struct{}), news: make(chan struct{}, 1)}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		<-r.ended
	})
	read := make(chan struct{})
	go func() {
		defer close(read)
		buffer := make([]byte, 4096)
		for {
			n, err := output.Read(buffer)
			r.mu.Lock()
			r.written.Write(buffer[:n])
			r.mu.Unlock()
			r.tell()
			if err != nil { // a terminal without writers returns EIO
				return
			}
		}
	}()
	go func() {
		<-read
		r.err = command.Wait()
		close(r.ended)
	}()
	return r
}

func (r *running) tell() {
	select {
	case r.news <- struct{}{}:
	default:
	}
}

func (r *running) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.written.String()
}

// says waits until the program has written a text after a point of its output, and returns the point after the text.
func (r *running) says(want string, since int) int {
	r.t.Helper()
	limit := time.After(patience)
	for {
		text := r.text()
		if at := strings.Index(text[since:], want); at >= 0 {
			return since + at + len(want)
		}
		select {
		case <-r.news:
		case <-r.ended:
			if text = r.text(); strings.Contains(text[since:], want) {
				continue
			}
			r.t.Fatalf("the program ended (%v) without %q:\n%q", r.err, want, text)
		case <-limit:
			r.t.Fatalf("no %q at the end of\n%q", want, text[max(since, len(text)-2000):])
		}
	}
}

// end waits for the end of the program.
func (r *running) end() (string, error) {
	r.t.Helper()
	select {
	case <-r.ended:
		return r.text(), r.err
	case <-time.After(patience):
		r.t.Fatalf("it does not end:\n%s", r.text())
		return "", nil
	}
}

// interrupt sends what Ctrl-C sends.
func (r *running) interrupt() (string, error) {
	r.t.Helper()
	if err := r.command.Process.Signal(os.Interrupt); err != nil {
		r.t.Fatal(err)
	}
	return r.end()
}

// piped starts the program with its output, errors included, in a pipe.
func piped(t *testing.T, args ...string) *running {
	t.Helper()
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = out.Close() })
	command := exec.Command(os.Args[0], args...)
	command.Stdout, command.Stderr = in, in
	command.Env = programEnvironment(t)
	r := start(t, command, out)
	_ = in.Close()
	return r
}
