package hostile

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

// builtinMost is the memory that the built-in controller may use: many times what ours may, but not the whole machine.
const builtinMost = 2 << 30

// settleBuiltin starts a control plane with the built-in controller, alone in its controller manager.
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

// again runs the healthy set's life once more.
func (p *place) again(ctx context.Context, lives *[]life) error {
	one, err := live(ctx, p)
	if err := errors.Join(p.exceeded(), err); err != nil {
		return err
	}
	*lives = append(*lives, one)
	return nil
}

// controllerOfKubernetes is its name in the local control plane.
const controllerOfKubernetes = "statefulset-controller"

// builtin is the built-in controller.
type builtin struct {
	plane *testbed.ControlPlane
	*watchdog
}

func (b builtin) stop() error {
	b.end()
	_, err := b.plane.Local(context.Background(), controllerOfKubernetes, "off")
	return err
}

// withNeighbour calls do beside a neighbour. Each neighbour gets a new control plane and controller, so that none finds traces
// of another.
func withNeighbour(ctx context.Context, n neighbour, here *place, do func() error) (err error) {
	defer func() { err = errors.Join(err, here.leave(err == nil)) }()
	if _, err := live(ctx, here); err != nil { // the first run is slow anyway, whoever the neighbour is
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
