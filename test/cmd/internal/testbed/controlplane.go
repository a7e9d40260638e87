// Package testbed runs a local control plane and our programs beside it, for commands that measure.
package testbed

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
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// bindings give the adapter's user the rights of deploy/manifests/rbac.yaml and no others.
//
//go:embed bindings.yaml
var bindings []byte

// ControlPlane is one instance of deploy/local, without the built-in StatefulSet controller.
type ControlPlane struct {
	Bin    string // folder of the programs
	Folder string // of the instance
	Client kubernetes.Interface

	name   string
	config *rest.Config
}

// The limits of a client that should never wait; the control plane's own controllers have the same.
const (
	QPS   = 500
	Burst = 1000
)

// Up starts an instance; args are flags of setplan-local up. The adapter's user has the rights of deploy/manifests.
func Up(ctx context.Context, bin, name string, args ...string) (*ControlPlane, error) {
	p := &ControlPlane{Bin: bin, name: name}
	out, err := p.Local(ctx, "up", append([]string{"--statefulset-controller", "off"}, args...)...)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	kubeconfig := lines[len(lines)-1]
	p.Folder = filepath.Dir(kubeconfig)
	if err := p.prepare(ctx, kubeconfig); err != nil {
		_ = p.Down(false) // only the first error matters
		return nil, err
	}
	return p, nil
}

func (p *ControlPlane) prepare(ctx context.Context, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS, config.Burst = QPS, Burst
	p.config = config
	if p.Client, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	file := filepath.Join(p.Folder, "bindings.yaml")
	if err := os.WriteFile(file, bindings, 0o600); err != nil {
		return err
	}
	for _, manifest := range []string{filepath.Join(p.Bin, "..", "deploy", "manifests", "rbac.yaml"), file} {
		if _, err := p.Program(ctx, "kubectl", "--kubeconfig", kubeconfig, "apply", "-f", manifest); err != nil {
			return err
		}
	}
	return nil
}

// Config leads to the API server as its administrator.
func (p *ControlPlane) Config() *rest.Config { return rest.CopyConfig(p.config) }

// Local runs a subcommand of setplan-local for the instance.
func (p *ControlPlane) Local(ctx context.Context, command string, args ...string) (string, error) {
	return p.Program(ctx, "setplan-local", append([]string{command, "--name", p.name}, args...)...)
}

// Program runs a program to its end and returns its output.
func (p *ControlPlane) Program(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(p.Bin, name), args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return string(out), nil
}

// PidOf is the process id of a component.
func (p *ControlPlane) PidOf(component string) (int, error) {
	pids, err := p.pids()
	if err == nil && pids[component].PID == 0 {
		err = fmt.Errorf("%s does not run", component)
	}
	return pids[component].PID, err
}

// Pids are the process ids of all components.
func (p *ControlPlane) Pids() ([]int, error) {
	pids, err := p.pids()
	var all []int
	for _, of := range pids {
		all = append(all, of.PID)
	}
	return all, err
}

func (p *ControlPlane) pids() (map[string]struct{ PID int }, error) {
	var pids map[string]struct{ PID int }
	err := p.read("pids.json", &pids)
	return pids, err
}

// Etcd is the URL at which etcd serves its clients.
func (p *ControlPlane) Etcd() (string, error) {
	ports, err := p.ports()
	return fmt.Sprintf("http://127.0.0.1:%d", ports.EtcdClient), err
}

type ports struct{ EtcdClient, StatefulSetController int }

func (p *ControlPlane) ports() (ports, error) {
	var instance struct{ Ports ports }
	err := p.read("instance.json", &instance)
	return instance.Ports, err
}

// read reads a file of deploy/local.
func (p *ControlPlane) read(name string, into any) error {
	data, err := os.ReadFile(filepath.Join(p.Folder, name))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// AuditLog is the path of the API server's audit log, if it writes one.
func (p *ControlPlane) AuditLog() string { return filepath.Join(p.Folder, "audit.log") }

// Background starts one of our programs, with its log beside the control plane's. env is added to this process's environment.
func (p *ControlPlane) Background(env []string, name string, args ...string) (*Process, error) {
	cmd := exec.Command(filepath.Join(p.Bin, name), args...)
	cmd.Env = append(os.Environ(), env...)
	return start(cmd, filepath.Join(p.Folder, "logs", name+".log"))
}

// Down also works after an interrupt. After a failure the logs are kept.
func (p *ControlPlane) Down(ok bool) error {
	var args []string
	if !ok {
		args = append(args, "--keep-logs")
	}
	_, err := p.Local(context.Background(), "down", args...)
	return err
}
