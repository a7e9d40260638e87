package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// bindings give the adapter's user the rights of deploy/manifests/rbac.yaml, no others.
//
//go:embed bindings.yaml
var bindings []byte

// controlPlane is one instance of deploy/local, with the audit log on.
type controlPlane struct {
	bin    string // folder of the programs
	folder string // of the instance
	client kubernetes.Interface
}

func up(ctx context.Context, bin string) (*controlPlane, error) {
	p := &controlPlane{bin: bin}
	out, err := p.local(ctx, "up", "--statefulset-controller", "off", "--audit")
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	kubeconfig := lines[len(lines)-1]
	p.folder = filepath.Dir(kubeconfig)
	if err := p.prepare(ctx, kubeconfig); err != nil {
		_ = p.down(false) // the other error is the one to read
		return nil, err
	}
	return p, nil
}

func (p *controlPlane) prepare(ctx context.Context, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS, config.Burst = qps, burst
	if p.client, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	file := filepath.Join(p.folder, "bindings.yaml")
	if err := os.WriteFile(file, bindings, 0o600); err != nil {
		return err
	}
	for _, manifest := range []string{filepath.Join(p.bin, "..", "deploy", "manifests", "rbac.yaml"), file} {
		if _, err := p.program(ctx, "kubectl", "--kubeconfig", kubeconfig, "apply", "-f", manifest); err != nil {
			return err
		}
	}
	return nil
}

// local runs a subcommand of setplan-local for the instance.
func (p *controlPlane) local(ctx context.Context, args ...string) (string, error) {
	return p.program(ctx, "setplan-local", append(args, "--name", instance)...)
}

// program runs a program to its end and returns what it printed.
func (p *controlPlane) program(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(p.bin, name), args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return string(out), nil
}

// pidOf is the process of a component.
func (p *controlPlane) pidOf(component string) (int, error) {
	data, err := os.ReadFile(filepath.Join(p.folder, "pids.json"))
	if err != nil {
		return 0, err
	}
	var pids map[string]struct{ PID int }
	if err := json.Unmarshal(data, &pids); err != nil {
		return 0, fmt.Errorf("pids.json: %w", err)
	}
	if pids[component].PID == 0 {
		return 0, fmt.Errorf("%s does not run", component)
	}
	return pids[component].PID, nil
}

func (p *controlPlane) auditLog() string { return filepath.Join(p.folder, "audit.log") }

// down also works after an interrupt. The logs of a failure are left to be read.
func (p *controlPlane) down(ok bool) error {
	args := []string{"down"}
	if !ok {
		args = append(args, "--keep-logs")
	}
	_, err := p.local(context.Background(), args...)
	return err
}
