package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
)

// oracle finds mistakes in the engine: upstream's own code decides beside it. It is in a separate module, which needs all of
// Kubernetes.
type oracle struct{}

// oracleModule is the folder of its module, from the root.
const oracleModule = "test/oracle"

var foundWorld = regexp.MustCompile(`(?m)^--- (world \d+), shrunk .*\n(.*)$`)

// sound runs as many worlds as nearly every mutation needs to be found.
func (oracle) sound(h *hunt) error {
	program, err := h.buildOracle()
	if err != nil {
		return err
	}
	command := exec.Command(program, "-n", "2000", "-lives", "0")
	command.Dir = filepath.Join(h.root, oracleModule)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// by lets the oracle run until it finds a difference or the time is over. If there is a folder to save to, it writes the world
// there, over an earlier one.
func (oracle) by(h *hunt, m *mutation) (string, error) {
	program, err := h.buildOracle("-overlay", h.overlay())
	if err != nil {
		return "", err
	}
	const endless = "1000000000"
	arguments := []string{"-n", endless, "-limit", "1"}
	if h.save != "" {
		save := filepath.Join(h.save, m.Name)
		if err := os.RemoveAll(save); err != nil {
			return "", err
		}
		arguments = append(arguments, "-save", save, "-note", "Found an engine in which "+m.Breaks+".")
	}
	ctx, cancel := context.WithTimeout(context.Background(), h.limit)
	defer cancel()
	command := exec.CommandContext(ctx, program, arguments...)
	command.Dir = filepath.Join(h.root, oracleModule)
	out, err := command.CombinedOutput()
	match := foundWorld.FindSubmatch(out)
	switch {
	case match != nil:
		return fmt.Sprintf("%s: %s", match[1], match[2]), nil
	case ctx.Err() != nil:
		return "", nil
	}
	return "", fmt.Errorf("the oracle ended without a verdict: %w\n%.2000s", err, out)
}

func (h *hunt) buildOracle(flags ...string) (program string, err error) {
	program = filepath.Join(h.dir, "oracle")
	build := exec.Command("go", append(append([]string{"build", "-ldflags=-w", "-o", program}, flags...), "./cmd/oracle")...)
	build.Dir = filepath.Join(h.root, oracleModule)
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("it does not build: %w\n%s", err, out)
	}
	return program, nil
}
