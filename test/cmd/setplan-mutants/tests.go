package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// tests are folders of packages, from the root, in any module. Their tests look for a mutation, one package after another.
type tests []string

func (packages tests) sound(h *hunt) error {
	for _, name := range packages {
		if by, err := h.test(name); err != nil || by != "" {
			return errors.Join(err, fmt.Errorf("the tests of %s fail: %s", name, by))
		}
	}
	return nil
}

func (packages tests) by(h *hunt, _ *mutation) (string, error) {
	for _, name := range packages {
		if by, err := h.test(name, "-overlay", h.overlay()); err != nil || by != "" {
			return by, err
		}
	}
	return "", nil
}

// test compiles and runs the tests of a package, and names the test that fails. Code that does not compile is an error: it
// proves nothing about the tests.
func (h *hunt) test(name string, flags ...string) (string, error) {
	program := filepath.Join(h.dir, "tests")
	build := exec.Command("go", append(append([]string{"test", "-c", "-vet=off", "-ldflags=-w", "-o", program}, flags...), ".")...)
	build.Dir = filepath.Join(h.root, name)
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("it does not build: %w\n%s", err, out)
	}
	run := exec.Command(program, "-test.failfast", "-test.timeout="+h.limit.String())
	run.Dir = build.Dir
	out, err := run.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "", nil
	case !errors.As(err, &exit):
		return "", err
	}
	return failing(string(out)), nil
}

var (
	failed   = regexp.MustCompile(`--- FAIL: (\S+)`)
	panicked = regexp.MustCompile(`(?m)^(panic|fatal error): (.*)$`)
)

// failing names the first test that failed in an output, with its innermost subtest, or what ended the program.
func failing(out string) string {
	name := ""
	for _, match := range failed.FindAllStringSubmatch(out, -1) {
		if name == "" || strings.HasPrefix(match[1], name+"/") {
			name = match[1]
		}
	}
	if end := panicked.FindStringSubmatch(out); end != nil {
		name = strings.TrimSpace(name + " " + end[0])
	}
	if name == "" {
		return "an end without a word"
	}
	return name
}
