package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
)

// Both sides may send as much as they like: what is measured is what they decide and send, not how long a client-side
// limit makes them wait. The control plane's own controllers have the same numbers.
const (
	qps   = 500
	burst = 1000
)

// side is a controller of StatefulSets whose processes are started for each measurement and ended after it.
type side struct {
	name     string
	user     string   // as the audit log knows it
	settings []string // what a reader has to know to judge the numbers
	start    func(context.Context) (*running, error)
}

// running is a side at work.
type running struct {
	pids []int
	stop func() error
}

// ours is the adapter and the server, in two processes, as deploy/manifests has them in one pod.
func ours(p *controlPlane) *side {
	return &side{
		name: "ours", user: "setplan-adapter",
		settings: []string{"setplan-adapter with setplan-server over loopback;", "workers 5,", limits()},
		start: func(ctx context.Context) (*running, error) {
			server, err := p.background("setplan-server", "--listen-address", "127.0.0.1:0", "--log-format", "json")
			if err != nil {
				return nil, err
			}
			address, err := server.addressFromLog(ctx)
			if err != nil {
				return nil, joinStop(err, server)
			}
			adapter, err := p.adapter(ctx, "--planner-address", address)
			if err != nil {
				return nil, joinStop(err, server)
			}
			return runningPrograms(adapter, server), nil
		},
	}
}

// embedded is the adapter with the planner in its own process.
func embedded(p *controlPlane) *side {
	return &side{
		name: "embedded", user: "setplan-adapter",
		settings: []string{"setplan-adapter --embedded;", "workers 5,", limits()},
		start: func(ctx context.Context) (*running, error) {
			adapter, err := p.adapter(ctx, "--embedded")
			if err != nil {
				return nil, err
			}
			return runningPrograms(adapter), nil
		},
	}
}

// builtin is the controller of Kubernetes, alone in its controller manager.
func builtin(p *controlPlane) *side {
	return &side{
		name: "builtin", user: "system:statefulset-controller",
		settings: []string{"kube-controller-manager --controllers=statefulset-controller;", "concurrent-statefulset-syncs 5,", limits()},
		start: func(ctx context.Context) (*running, error) {
			if _, err := p.local(ctx, "statefulset-controller", "alone"); err != nil {
				return nil, err
			}
			pid, err := p.pidOf("statefulset-controller")
			if err != nil {
				return nil, err
			}
			return &running{pids: []int{pid}, stop: func() error {
				_, err := p.local(context.Background(), "statefulset-controller", "off")
				return err
			}}, nil
		},
	}
}

func limits() string {
	return fmt.Sprintf("kube-api-qps %d, kube-api-burst %d, no leader election", qps, burst)
}

// adapter starts an adapter and waits until it works.
func (p *controlPlane) adapter(ctx context.Context, planner ...string) (*program, error) {
	args := append([]string{"--kubeconfig", filepath.Join(p.folder, "adapter.kubeconfig"), "--own", "apps/v1", "--leader-elect=false",
		"--kube-api-qps", strconv.Itoa(qps), "--kube-api-burst", strconv.Itoa(burst), "--log-format", "json"}, planner...)
	adapter, err := p.background("setplan-adapter", args...)
	if err != nil {
		return nil, err
	}
	if _, err := adapter.waitForLog(ctx, `"msg":"working"`); err != nil {
		return nil, joinStop(err, adapter)
	}
	return adapter, nil
}

// background starts a program of ours with its log beside the control plane's.
func (p *controlPlane) background(name string, args ...string) (*program, error) {
	return startProgram(exec.Command(filepath.Join(p.bin, name), args...), filepath.Join(p.folder, "logs", name+".log"))
}
