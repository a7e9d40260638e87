package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"
)

// Stop ends one component of an instance.
func (i *Instance) Stop(c Component) error {
	return i.changed(c, func() error {
		if c.isKubelet() {
			return i.signalKubelet(c, syscall.SIGUSR1)
		}
		if c == Network {
			return errNetwork
		}
		return i.stop(c)
	})
}

// Start runs one component that was stopped, with the flags and on the ports
// that it had.
func (i *Instance) Start(ctx context.Context, c Component) error {
	return i.changed(c, func() error {
		if c.isKubelet() {
			return i.signalKubelet(c, syscall.SIGUSR2)
		}
		running, err := i.Running()
		if err != nil {
			return err
		}
		if slices.Contains(running, c) {
			return fmt.Errorf("%s runs already", c)
		}
		return i.startInto(ctx, c)
	})
}

// startInto adds a component to others that run. An API server takes a moment
// to find back to its etcd, and is no use before.
func (i *Instance) startInto(ctx context.Context, c Component) error {
	if err := i.start(ctx, c); err != nil || c != Etcd {
		return err
	}
	running, err := i.Running()
	if err != nil || !slices.Contains(running, APIServer) {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if err := poll(ctx, func() error { return i.ready(ctx, APIServer) }); err != nil {
		return fmt.Errorf("wait for the API server to find etcd: %w", err)
	}
	return nil
}

// Restart ends one component and runs it again, with the program in binDir. Whatever starts later is from there too.
func (i *Instance) Restart(ctx context.Context, c Component, binDir string) error {
	return i.changed(c, func() error {
		if c.isKubelet() {
			return errors.Join(i.signalKubelet(c, syscall.SIGUSR1), i.signalKubelet(c, syscall.SIGUSR2))
		}
		if c == Network {
			return errNetwork
		}
		if err := i.stop(c); err != nil {
			return err
		}
		i.BinDir = binDir
		if err := i.save(); err != nil {
			return err
		}
		return i.startInto(ctx, c)
	})
}

// errNetwork is why the network lives as long as the instance.
var errNetwork = errors.New("the network of the nodes cannot end before they do: they would be cut off")

// changed changes a component that the instance has.
func (i *Instance) changed(c Component, change func() error) error {
	return i.locked(func() error {
		if has := i.all(); !slices.Contains(has, c) {
			return fmt.Errorf("%s is not part of it, which has %s", c, names(has))
		}
		return change()
	})
}

func (i *Instance) locked(change func() error) error {
	unlock, err := i.lock()
	if err == nil {
		defer unlock()
		err = change()
	}
	if err != nil {
		return fmt.Errorf("instance %s: %w", i.Name, err)
	}
	return nil
}
