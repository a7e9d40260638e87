package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/setplan/setplan/adapters/kube/cmd/internal/testbed"
)

// place is a control plane and the controller that works on it.
type place struct {
	*testbed.ControlPlane
	controller
}

// controller runs the sets of a place.
type controller interface {
	// peak is the most memory that it was seen with, in bytes; 0 where nobody looked.
	peak() int64
	// exceeded is an error once it was killed.
	exceeded() error
	// whileAlive is a context that ends when it is killed.
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

// settleBuiltin starts one with the controller of Kubernetes, alone in its controller manager, and with no limit of memory.
func settleBuiltin(ctx context.Context, o *options, name string) (*place, error) {
	plane, err := testbed.Up(ctx, o.Bin, name)
	if err != nil {
		return nil, err
	}
	if _, err := plane.Local(ctx, "statefulset-controller", "alone"); err != nil {
		return nil, errors.Join(err, plane.Down(false))
	}
	return &place{plane, builtin{plane}}, nil
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

// builtin is the controller of Kubernetes.
type builtin struct{ plane *testbed.ControlPlane }

func (builtin) peak() int64     { return 0 }
func (builtin) exceeded() error { return nil }
func (builtin) whileAlive(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}

func (b builtin) stop() error {
	_, err := b.plane.Local(context.Background(), "statefulset-controller", "off")
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
