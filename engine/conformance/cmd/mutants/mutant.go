package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// apply returns the text of the mutation's file with the rule broken.
func (m *mutation) apply(engine string) (path, text string, err error) {
	path = filepath.Join(engine, m.File)
	source, err := os.ReadFile(path)
	if err != nil {
		return "", "", err
	}
	if n := strings.Count(string(source), m.Old); n != 1 || m.Old == m.New {
		return "", "", fmt.Errorf("%s: the text to replace occurs %d times in %s, and not once", m.Name, n, m.File)
	}
	return path, strings.Replace(string(source), m.Old, m.New, 1), nil
}

// build compiles the oracle with the mutated engine into dir. No file of the tree is changed: the compiler is told to read
// another one.
func (m *mutation) build(engine, dir string) (program string, err error) {
	path, text, err := m.apply(engine)
	if err != nil {
		return "", err
	}
	mutated, overlay := filepath.Join(dir, m.File), filepath.Join(dir, "overlay.json")
	program = filepath.Join(dir, "oracle")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {path: mutated}})
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.WriteFile(mutated, []byte(text), 0o644), os.WriteFile(overlay, list, 0o644)); err != nil {
		return "", err
	}
	if out, err := exec.Command("go", "build", "-ldflags=-w", "-overlay", overlay, "-o", program, "./cmd/oracle").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s does not build: %w\n%s", m.Name, err, out)
	}
	return program, nil
}

// result is what became of one mutation.
type result struct {
	caught  bool
	took    time.Duration
	worlds  int // up to and with the one that caught it
	class   string
	failure error
}

var foundWorld = regexp.MustCompile(`(?m)^--- world (\d+), shrunk .*\n(.*)$`)

// hunt runs the oracle with the mutated engine until it finds a difference or the time is over. With a folder, the world
// is saved there, in place of an earlier one.
func (m *mutation) hunt(program, save string, limit time.Duration) result {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	const endless = "1000000000"
	arguments := []string{"-n", endless, "-limit", "1"}
	if save != "" {
		save = filepath.Join(save, m.Name)
		if err := os.RemoveAll(save); err != nil {
			return result{failure: err}
		}
		arguments = append(arguments, "-save", save, "-note", "Found an engine in which "+m.Breaks+".")
	}
	begin := time.Now()
	out, err := exec.CommandContext(ctx, program, arguments...).CombinedOutput()
	r := result{took: time.Since(begin)}
	match := foundWorld.FindSubmatch(out)
	switch {
	case match != nil:
		r.caught, r.class = true, string(match[2])
		number, _ := strconv.Atoi(string(match[1])) // only digits match
		r.worlds = number + 1
	case ctx.Err() != nil:
		r.class = "nothing found in time"
	default:
		r.failure = fmt.Errorf("%s: the oracle ended without a verdict: %w\n%.2000s", m.Name, err, out)
	}
	return r
}
