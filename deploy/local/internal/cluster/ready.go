package cluster

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

// statefulSetController is the built-in controller's name in the flags and in
// the health checks of the controller manager.
const statefulSetController = "statefulset-controller"

// ready asks a component whether it does its work.
func (i *Instance) ready(ctx context.Context, c Component) error {
	switch c {
	case Etcd:
		_, err := get(ctx, httpURL(i.Ports.EtcdClient)+"/health")
		return err
	case APIServer:
		_, err := get(ctx, httpsURL(i.Ports.APIServer)+"/readyz")
		return err
	case ControllerManager:
		return i.controllersReady(ctx)
	case StatefulSetController:
		return i.aloneReady(ctx)
	case Scheduler:
		_, err := get(ctx, httpsURL(i.Ports.Scheduler)+"/readyz")
		return err
	case Kwok:
		_, err := get(ctx, httpURL(i.Ports.Kwok)+"/healthz")
		return err
	default:
		_, err := os.Stat(i.readyFile(c))
		return err
	}
}

// controllersReady looks at the list of health checks, not only at their sum:
// the controller manager calls itself healthy before it has any controllers.
func (i *Instance) controllersReady(ctx context.Context) error {
	checks, err := get(ctx, httpsURL(i.Ports.ControllerManager)+"/healthz?verbose")
	if err != nil {
		return err
	}
	if !strings.Contains(string(checks), "[+]garbage-collector-controller ok") {
		return fmt.Errorf("the controllers have not started")
	}
	if runs := strings.Contains(string(checks), "[+]"+statefulSetController+" ok"); runs != (i.Builtin == BuiltinOn) {
		return fmt.Errorf("the StatefulSet controller runs: %t, want %t", runs, i.Builtin == BuiltinOn)
	}
	return nil
}

func (i *Instance) aloneReady(ctx context.Context) error {
	checks, err := get(ctx, httpsURL(i.Ports.StatefulSetController)+"/healthz?verbose")
	if err != nil {
		return err
	}
	if !strings.Contains(string(checks), "[+]"+statefulSetController+" ok") {
		return fmt.Errorf("the StatefulSet controller has not started")
	}
	return nil
}

// poll repeats a check until it passes, and returns its last complaint when
// the context ends before.
func poll(ctx context.Context, check func() error) error {
	for {
		err := check()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(50 * time.Millisecond):
		}
	}
}
