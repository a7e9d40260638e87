package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// controlPlane is where the sides work. Both may send as much as they like: what is measured is what they decide and send,
// not how long a client-side limit makes them wait.
type controlPlane struct{ *testbed.ControlPlane }

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
			server, err := p.Background(nil, "setplan-server", "--listen-address", "127.0.0.1:0", "--log-format", "json")
			if err != nil {
				return nil, err
			}
			address, err := server.Address(ctx)
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
			if _, err := p.Local(ctx, "statefulset-controller", "alone"); err != nil {
				return nil, err
			}
			pid, err := p.PidOf("statefulset-controller")
			if err != nil {
				return nil, err
			}
			return &running{pids: []int{pid}, stop: func() error {
				_, err := p.Local(context.Background(), "statefulset-controller", "off")
				return err
			}}, nil
		},
	}
}

func limits() string {
	return fmt.Sprintf("kube-api-qps %d, kube-api-burst %d, no leader election", testbed.QPS, testbed.Burst)
}

// adapter starts an adapter and waits until it works.
func (p *controlPlane) adapter(ctx context.Context, planner ...string) (*testbed.Process, error) {
	args := append([]string{"--kubeconfig", filepath.Join(p.Folder, "adapter.kubeconfig"), "--own", "apps/v1", "--leader-elect=false",
		"--kube-api-qps", strconv.Itoa(testbed.QPS), "--kube-api-burst", strconv.Itoa(testbed.Burst), "--log-format", "json"}, planner...)
	adapter, err := p.Background(nil, "setplan-adapter", args...)
	if err != nil {
		return nil, err
	}
	if _, err := adapter.WaitForLog(ctx, `"msg":"working"`); err != nil {
		return nil, joinStop(err, adapter)
	}
	return adapter, nil
}

// runningPrograms are stopped in the order in which they are given.
func runningPrograms(programs ...*testbed.Process) *running {
	r := &running{}
	for _, p := range programs {
		r.pids = append(r.pids, p.Pid)
	}
	r.stop = func() error {
		var errs []error
		for _, p := range programs {
			errs = append(errs, p.Stop())
		}
		return errors.Join(errs...)
	}
	return r
}

func joinStop(err error, p *testbed.Process) error { return errors.Join(err, p.Stop()) }
