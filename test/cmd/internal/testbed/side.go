package testbed

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"time"
)

// Working is in the line that an adapter logs once it plans.
const Working = `"msg":"the caches are filled; working"`

// Side is a controller of StatefulSets whose processes are started for each measurement and ended after it. Each may send as
// fast as it likes: its decisions and requests are measured, not the waits of a client-side limit.
type Side struct {
	Name     string
	User     string   // its user in the audit log
	Settings []string // what readers must know to judge the numbers
	// Start returns as soon as the processes exist.
	Start func(context.Context) (*Running, error)
}

// Running is a side at work.
type Running struct {
	Pids  []int
	Began time.Time // when its first process was started
	// Ready waits until it works.
	Ready func(context.Context) error
	// Looked reports whether it has looked at this many sets and has none left to look at; false also if it does not yet say.
	Looked func(ctx context.Context, sets int) bool
	Stop   func() error
}

// Sides are the sides to compare.
func Sides(p *ControlPlane) []*Side { return []*Side{ours(p), embedded(p), builtin(p)} }

// ours is the adapter and the server, in two processes, as in one pod of deploy/manifests.
func ours(p *ControlPlane) *Side {
	return &Side{
		Name: "ours", User: "setplan-adapter",
		Settings: []string{"setplan-adapter with setplan-server over loopback;", "workers 5,", limits()},
		Start: func(ctx context.Context) (*Running, error) {
			return p.withServer(ctx, Working, func(address string) (*Process, error) { return p.adapter("--planner-address", address) })
		},
	}
}

// withServer starts a server, and then an adapter, which works when it logs a text.
func (p *ControlPlane) withServer(ctx context.Context, works string, adapter func(address string) (*Process, error)) (*Running, error) {
	began := time.Now()
	server, err := p.Background(nil, "setplan-server", "--listen-address", "127.0.0.1:0", "--log-format", "json")
	if err != nil {
		return nil, err
	}
	address, err := server.Address(ctx)
	if err != nil {
		return nil, errors.Join(err, server.Stop())
	}
	program, err := adapter(address)
	if err != nil {
		return nil, errors.Join(err, server.Stop())
	}
	return runningPrograms(began, works, program, server), nil
}

// embedded is the adapter with the planner in its process.
func embedded(p *ControlPlane) *Side {
	return &Side{
		Name: "embedded", User: "setplan-adapter",
		Settings: []string{"setplan-adapter --embedded;", "workers 5,", limits()},
		Start: func(context.Context) (*Running, error) {
			began := time.Now()
			adapter, err := p.adapter("--embedded")
			if err != nil {
				return nil, err
			}
			return runningPrograms(began, Working, adapter), nil
		},
	}
}

// builtin is the built-in controller, alone in its controller manager.
func builtin(p *ControlPlane) *Side {
	return &Side{
		Name: "builtin", User: "system:statefulset-controller",
		Settings: []string{"kube-controller-manager --controllers=statefulset-controller;", "concurrent-statefulset-syncs 5,", limits()},
		Start:    p.startBuiltin,
	}
}

func limits() string {
	return fmt.Sprintf("kube-api-qps %d, kube-api-burst %d, no leader election", QPS, Burst)
}

func (p *ControlPlane) adapter(planner ...string) (*Process, error) {
	return p.Background(nil, "setplan-adapter", append([]string{"--kubeconfig", filepath.Join(p.Folder, "adapter.kubeconfig"),
		"--own", "apps/v1", "--leader-elect=false", "--metrics-address", "127.0.0.1:0",
		"--kube-api-qps", strconv.Itoa(QPS), "--kube-api-burst", strconv.Itoa(Burst), "--log-format", "json"}, planner...)...)
}

// runningPrograms are stopped in their order, the adapter first.
func runningPrograms(began time.Time, works string, programs ...*Process) *Running {
	adapter := programs[0]
	r := &Running{
		Began: began,
		Ready: func(ctx context.Context) error {
			_, err := adapter.WaitForLog(ctx, works)
			return err
		},
		Looked: func(ctx context.Context, sets int) bool { return adapterLooked(ctx, adapter, sets) },
		Stop: func() error {
			var errs []error
			for _, p := range programs {
				errs = append(errs, p.Stop())
			}
			return errors.Join(errs...)
		},
	}
	for _, p := range programs {
		r.Pids = append(r.Pids, p.Pid)
	}
	return r
}

// startBuiltin starts the controller manager, which becomes ready a while after its process starts.
func (p *ControlPlane) startBuiltin(ctx context.Context) (*Running, error) {
	const component = "statefulset-controller"
	ready, failed := make(chan struct{}), error(nil)
	go func() {
		defer close(ready)
		_, failed = p.Local(ctx, component, "alone")
	}()
	stop := func() error {
		<-ready // its end must not come before its start is over
		_, err := p.Local(context.Background(), component, "off")
		return errors.Join(failed, err)
	}
	pid, err := p.PidOf(component)
	for ; err != nil; pid, err = p.PidOf(component) {
		select {
		case <-ready:
			return nil, errors.Join(err, stop())
		case <-time.After(5 * time.Millisecond):
		}
	}
	return &Running{
		Pids:  []int{pid},
		Began: time.Now(), // accurate to a few milliseconds
		Ready: func(context.Context) error {
			<-ready
			return failed
		},
		Looked: p.builtinLooked,
		Stop:   stop,
	}, nil
}
