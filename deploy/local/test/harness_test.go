//go:build controlplane

package test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// harness calls the manager as its users do, with its own state folder.
type harness struct {
	t       *testing.T
	manager string
	bin     string
	state   string
}

// newHarness takes the programs from SETPLAN_BIN, or from the repository's bin.
func newHarness(t *testing.T) *harness {
	t.Helper()
	bin := os.Getenv("SETPLAN_BIN")
	if bin == "" {
		bin = filepath.Join("..", "..", "..", "bin")
	}
	bin, err := filepath.Abs(bin)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(bin, "kube-apiserver")); err != nil {
		t.Fatalf("run `setplan-local build` first: %v", err)
	}
	dir := t.TempDir()
	h := &harness{t: t, manager: filepath.Join(dir, "setplan-local"), bin: bin, state: filepath.Join(dir, "state")}
	h.command("go", "build", "-o", h.manager, "../cmd/setplan-local")
	t.Cleanup(func() { h.local("down", "--all") })
	return h
}

// command runs a program that has to succeed, and returns its output.
func (h *harness) command(program string, args ...string) string {
	h.t.Helper()
	out, err := h.try(program, args...)
	if err != nil {
		h.t.Fatalf("%s %s: %v", filepath.Base(program), strings.Join(args, " "), err)
	}
	return out
}

func (h *harness) try(program string, args ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if err != nil || strings.Contains(program, "setplan-local") {
		h.t.Logf("%s %s\n%s%s", filepath.Base(program), strings.Join(args, " "), stdout.String(), stderr.String())
	}
	return strings.TrimSpace(stdout.String()), err
}

// local runs the manager.
func (h *harness) local(args ...string) string {
	h.t.Helper()
	return h.command(h.manager, append(args, "--dir", h.state)...)
}

// up starts an instance and returns its kubeconfig, from the last line.
func (h *harness) up(name string, flags ...string) string {
	h.t.Helper()
	lines := strings.Split(h.local(append([]string{"up", "--name", name, "--bin", h.bin}, flags...)...), "\n")
	return lines[len(lines)-1]
}

// kubectl runs kubectl with an instance's kubeconfig.
func (h *harness) kubectl(kubeconfig string, args ...string) string {
	h.t.Helper()
	return h.command(filepath.Join(h.bin, "kubectl"), append([]string{"--kubeconfig", kubeconfig}, args...)...)
}

// eventually waits until kubectl prints the wanted text.
func (h *harness) eventually(want, kubeconfig string, args ...string) {
	h.t.Helper()
	var got string
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		got, _ = h.try(filepath.Join(h.bin, "kubectl"), append([]string{"--kubeconfig", kubeconfig}, args...)...)
		if got == want {
			return
		}
	}
	h.t.Fatalf("kubectl %s: %q, want %q", strings.Join(args, " "), got, want)
}

// processes returns the pids whose command line names the state folder.
func (h *harness) processes() []string {
	h.t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil || len(files) == 0 {
		h.t.Fatalf("list processes: %v", err)
	}
	var pids []string
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err == nil && bytes.Contains(line, []byte(h.state)) {
			pids = append(pids, filepath.Base(filepath.Dir(file)))
		}
	}
	return pids
}

// pipe runs kubectl with an input.
func (p *ownKind) pipe(input string, args ...string) error {
	cmd := exec.Command(filepath.Join(p.bin, "kubectl"), append([]string{"--kubeconfig", p.config}, args...)...)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	p.t.Logf("kubectl %s\n%s", strings.Join(args, " "), out)
	return err
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
