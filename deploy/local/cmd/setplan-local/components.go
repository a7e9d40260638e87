package main

import (
	"context"
	"io"
	"log/slog"

	"github.com/setplan/setplan/deploy/local/internal/cluster"
)

func runStatefulSetController(ctx context.Context, args []string, _ io.Writer) error {
	o := newOptions("statefulset-controller")
	operands, err := o.parse(args, 1)
	if err != nil {
		return err
	}
	builtin, err := cluster.ParseBuiltin(operands[0])
	if err != nil {
		return usageError{err}
	}
	i, err := o.instance()
	if err != nil {
		return err
	}
	if err := i.SetBuiltin(ctx, builtin); err != nil {
		return err
	}
	slog.Info("StatefulSet controller", "instance", i.Name, "runs", builtin)
	return nil
}

func runRestart(ctx context.Context, args []string, _ io.Writer) error {
	return onComponent("restart", args, func(i *cluster.Instance, c cluster.Component) error {
		return i.Restart(ctx, c)
	})
}

func runStop(_ context.Context, args []string, _ io.Writer) error {
	return onComponent("stop", args, (*cluster.Instance).Stop)
}

func runStart(ctx context.Context, args []string, _ io.Writer) error {
	return onComponent("start", args, func(i *cluster.Instance, c cluster.Component) error {
		return i.Start(ctx, c)
	})
}

// onComponent runs a command that has a component for its operand.
func onComponent(command string, args []string, do func(*cluster.Instance, cluster.Component) error) error {
	o := newOptions(command)
	operands, err := o.parse(args, 1)
	if err != nil {
		return err
	}
	c, err := cluster.ParseComponent(operands[0])
	if err != nil {
		return usageError{err}
	}
	i, err := o.instance()
	if err != nil {
		return err
	}
	return do(i, c)
}
