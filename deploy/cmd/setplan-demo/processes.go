package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// stage is what the demo plays on.
type stage struct {
	bin        string // folder of the programs
	folder     string // of the control plane; our logs go there too
	kubeconfig string
	up         bool
	server     *exec.Cmd
	adapter    *exec.Cmd
	address    string // of the server
	manifest   string // the file that the demo applies
	release    *installation
}

// start brings up the control plane, with the built-in controller on or off, and the server.
func (s *stage) start(ctx context.Context, builtIn string) error {
	if err := s.startCluster(ctx, builtIn); err != nil {
		return err
	}
	var err error
	s.server, err = s.background("setplan-server", "--listen-address", "127.0.0.1:0", "--log-format", "json")
	if err != nil {
		return err
	}
	s.address, err = s.serverAddress(ctx)
	return err
}

func (s *stage) startCluster(ctx context.Context, builtIn string) error {
	out, err := s.program(ctx, "setplan-local", "up", "--name", instance, "--statefulset-controller", builtIn)
	if err != nil {
		return fmt.Errorf("%w\nIf an earlier demo was kept: bin/setplan-local down --name %s", err, instance)
	}
	s.up = true
	lines := strings.Split(strings.TrimSpace(out), "\n")
	s.kubeconfig = lines[len(lines)-1]
	s.folder = filepath.Dir(s.kubeconfig)
	return nil
}

// act starts the adapter.
func (s *stage) act(own string) (err error) {
	// One adapter needs no lease; it would only be slow to begin again after a KEEP.
	s.adapter, err = s.background("setplan-adapter", "--kubeconfig", s.kubeconfig, "--planner-address", s.address,
		"--own", own, "--leader-elect=false", "--log-format", "json")
	return err
}

// program runs a program to its end, with its progress on the terminal.
func (s *stage) program(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, name), args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+s.kubeconfig)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return string(out), nil
}

// background starts a program of ours with its log beside the control plane's.
func (s *stage) background(name string, args ...string) (*exec.Cmd, error) {
	return background(s.bin, s.log(name), name, args...)
}

func (s *stage) log(name string) string { return filepath.Join(s.folder, name+".log") }

// serverAddress reads the port that the server has chosen from its log.
func (s *stage) serverAddress(ctx context.Context) (string, error) {
	for line := range follow(ctx, s.log("setplan-server"), 20*time.Second) {
		if line.Message == "listening" && line.Addr != "" {
			return line.Addr, nil
		}
	}
	return "", fmt.Errorf("setplan-server has not begun to listen: see %s", s.log("setplan-server"))
}

// stop ends what start began: the adapter first, so that nothing is planned without an API server.
func (s *stage) stop() error {
	var errs []error
	if s.release != nil {
		errs = append(errs, s.release.end())
	}
	for _, cmd := range []*exec.Cmd{s.adapter, s.server} {
		if cmd != nil {
			errs = append(errs, end(cmd))
		}
	}
	if s.up {
		_, err := s.program(context.Background(), "setplan-local", "down", "--name", instance)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// explainKept says how to use and how to end what was left running.
func (s *stage) explainKept() {
	fmt.Printf("\nKept running. Use it and end it with:\n  export KUBECONFIG=%s\n  bin/kubectl get statefulsets,pods,pvc\n"+
		"  kill %d %d && bin/setplan-local down --name %s\n", s.kubeconfig, s.adapter.Process.Pid, s.server.Process.Pid, instance)
	fmt.Printf("The logs:\n  %s\n  %s\nThe adapter, to start it again:\n  %s\n", s.log("setplan-server"), s.log("setplan-adapter"),
		strings.Join(s.adapter.Args, " "))
	if _, err := os.Stat(s.manifest); err == nil {
		fmt.Printf("The set of the demo, to create it again:\n  bin/kubectl apply -f %s\n", s.manifest)
	}
}
