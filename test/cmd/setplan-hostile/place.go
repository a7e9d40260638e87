package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// place is a control plane and the controller that works on it.
type place struct {
	*testbed.ControlPlane
	controller
}

// controller runs the sets of a place.
type controller interface {
	peak() int64
	exceeded() error
	whileAlive(context.Context) (context.Context, context.CancelFunc)
	stop() error
}

// settle starts a control plane with an adapter.
func settle(ctx context.Context, o *options, name string) (*place, error) {
	plane, err := testbed.Up(ctx, o.Bin, name)
	if err != nil {
		return nil, err
	}
	adapter, err := startLimited(ctx, plane, o)
	if err != nil {
		return nil, errors.Join(err, plane.Down(false))
	}
	return &place{plane, adapter}, nil
}

// builtinMost is the memory that the controller of Kubernetes may take: many times what ours may, and not the whole machine.
const builtinMost = 2 << 30

// settleBuiltin starts one with the controller of Kubernetes, alone in its controller manager.
func settleBuiltin(ctx context.Context, o *options, name string) (*place, error) {
	plane, err := testbed.Up(ctx, o.Bin, name)
	if err != nil {
		return nil, err
	}
	if _, err := plane.Local(ctx, controllerOfKubernetes, "alone"); err != nil {
		return nil, errors.Join(err, plane.Down(false))
	}
	pid, err := plane.PidOf(controllerOfKubernetes)
	if err != nil {
		return nil, errors.Join(err, plane.Down(false))
	}
	return &place{plane, builtin{plane, watch(pid, builtinMost)}}, nil
}

func (p *place) leave(ok bool) error { return errors.Join(p.controller.stop(), p.Down(ok)) }

// again lets the healthy set live once more.
func (p *place) again(ctx context.Context, lives *[]life) error {
	one, err := live(ctx, p)
	if err := errors.Join(p.exceeded(), err); err != nil {
		return err
	}
	*lives = append(*lives, one)
	return nil
}

// controllerOfKubernetes is what the local control plane calls it.
const controllerOfKubernetes = "statefulset-controller"

// builtin is the controller of Kubernetes.
type builtin struct {
	plane *testbed.ControlPlane
	*watchdog
}

func (b builtin) stop() error {
	b.end()
	_, err := b.plane.Local(context.Background(), controllerOfKubernetes, "off")
	return err
}

// withNeighbour does something where a neighbour has moved in. Each has a control plane and a controller of its own, so that none
// finds what another has left.
func withNeighbour(ctx context.Context, n neighbour, here *place, do func() error) (err error) {
	defer func() { err = errors.Join(err, here.leave(err == nil)) }()
	if _, err := live(ctx, here); err != nil { // what is only slow the first time is no neighbour's fault
		return fmt.Errorf("alone: %w", err)
	}
	a, err := newAttacker(ctx, here)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.stop()) }()
	if err := n.move(a); err != nil {
		return fmt.Errorf("the neighbour moves in: %w", err)
	}
	return do()
}
