// Command setplan-demo shows a StatefulSet's life on a real control plane whose built-in StatefulSet controller is off:
// setplan-server decides, setplan-adapter acts, and every line says what happens and why. `make demo` builds what it
// needs and runs it. With the argument "drain" it shows a scale-down with a drain (`make demo-drain`).
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

// instance is the name of the control plane, under .local in the repository.
const instance = "demo"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	show := (*stage).play
	if len(os.Args) > 1 && os.Args[1] == "drain" {
		show = (*stage).drain
	}
	if err := run(ctx, show, os.Getenv("KEEP") == "1"); err != nil {
		fmt.Fprintln(os.Stderr, "setplan-demo:", err)
		os.Exit(1)
	}
}

// run starts everything, shows what is to be shown, and stops everything unless it is to be kept.
func run(ctx context.Context, show func(*stage, context.Context) error, keep bool) (err error) {
	executable, err := os.Executable()
	if err != nil {
		return err
	}
	s := &stage{bin: filepath.Dir(executable)}
	defer func() {
		if keep && err == nil {
			s.explainKept()
			return
		}
		if stopErr := s.stop(); err == nil {
			err = stopErr
		}
	}()
	fmt.Println("Starting a control plane (etcd, kube-apiserver, controller manager without its StatefulSet controller, scheduler,")
	fmt.Println("simulated nodes), setplan-server and setplan-adapter.")
	if err := s.start(ctx); err != nil {
		return err
	}
	return show(s, ctx)
}
