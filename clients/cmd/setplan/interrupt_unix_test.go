//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// TestInterruptedAtOnce: Ctrl-C ends a command that does not check its context; this one reads from a pipe without a writer.
func TestInterruptedAtOnce(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	r := piped(t, "plan", "-f", pipe)
	writer, err := os.OpenFile(pipe, os.O_WRONLY, 0) // returns once the program reads
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = writer.Close() }()
	_, err = r.interrupt()
	if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != interrupted {
		t.Errorf("it ended with %v", err)
	}
}
