package main

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"

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
	o := newOptions("restart")
	bin := o.String("bin", "", "the `folder` of the programs from now on, those of another version for instance (default what it was)")
	return o.onComponent(args, func(i *cluster.Instance, c cluster.Component) error {
		folder := i.BinDir
		if *bin != "" {
			var err error
			if folder, err = filepath.Abs(*bin); err != nil {
				return err
			}
		}
		return i.Restart(ctx, c, folder)
	})
}

func runStop(_ context.Context, args []string, _ io.Writer) error {
	return newOptions("stop").onComponent(args, (*cluster.Instance).Stop)
}

func runStart(ctx context.Context, args []string, _ io.Writer) error {
	return newOptions("start").onComponent(args, func(i *cluster.Instance, c cluster.Component) error {
		return i.Start(ctx, c)
	})
}

// onComponent runs a command that has a component for its operand.
func (o *options) onComponent(args []string, do func(*cluster.Instance, cluster.Component) error) error {
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
