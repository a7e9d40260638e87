package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// background starts a program of ours, whose log is a file.
func background(bin, log, name string, args ...string) (*exec.Cmd, error) {
	file, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	cmd := exec.Command(filepath.Join(bin, name), args...)
	cmd.Stdout, cmd.Stderr = file, file
	// A session of its own, so that Ctrl-C reaches the demo first and KEEP works.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	return cmd, nil
}

// end asks a program to end, and kills it after ten seconds.
func end(cmd *exec.Cmd) error {
	_ = cmd.Process.Signal(syscall.SIGTERM) // one that has ended cannot be signalled
	timer := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(cmd.Path), err)
	}
	return nil
}

// each reads the lines of a log so far.
func each[T any](path string, do func(*T)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line T
		if json.Unmarshal(lines.Bytes(), &line) == nil { // the last one may be half written
			do(&line)
		}
	}
	return lines.Err()
}

// wait asks again and again until nothing is missing.
func wait(ctx context.Context, missing func() error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := missing()
		if err == nil {
			return nil
		}
		if sleep(ctx, 200*time.Millisecond) != nil {
			return err
		}
	}
}

func sleep(ctx context.Context, howLong time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(howLong):
		return nil
	}
}
