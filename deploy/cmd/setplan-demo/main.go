// Command setplan-demo shows a StatefulSet's life on a real control plane whose built-in StatefulSet controller is off:
// setplan-server decides, setplan-adapter acts, and every line says what happens and why. `make demo` builds what it
// needs and runs it. `setplan-demo repair` shows a bad template and its correction, under the built-in controller and
// under ours (`make demo WHAT=repair`); `setplan-demo drain` a scale-down with a drain (`make demo WHAT=drain`); `setplan-demo managed` a set that
// moves to our own kind beside the built-in controller, and back (`make demo WHAT=managed`); `setplan-demo install` the chart, installed,
// upgraded, downgraded and uninstalled during a rollout (`make demo WHAT=install`); `setplan-demo central` three clusters with one planner
// (`make demo WHAT=central`); `setplan-demo day2` what comes after a database's first day (`make demo WHAT=day2`).
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/setplan/setplan/deploy/scenario"
)

// instance is the name of the control plane, under .local in the repository.
const instance = "demo"

func main() {
	if len(os.Args) == 5 && os.Args[1] == floodArgument {
		if err := flood(os.Args[2], os.Args[3], os.Args[4]); err != nil {
			fmt.Fprintln(os.Stderr, "the flood:", err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Getenv("KEEP") == "1"); err != nil {
		fmt.Fprintln(os.Stderr, "setplan-demo:", err)
		os.Exit(1)
	}
}

// run starts everything, plays the acts, and stops everything unless it is to be kept.
func run(ctx context.Context, args []string, keep bool) (err error) {
	executable, err := os.Executable()
	if err != nil {
		return err
	}
	show := &scenario.Life
	is := func(name string) bool { return len(args) == 1 && args[0] == name }
	switch {
	case is("central") && keep:
		return errors.New("KEEP: the servers of the demo end with it")
	case is("central"):
		return playCentral(ctx, filepath.Dir(executable))
	case is("install") && keep:
		return errors.New("KEEP: the pods of an installation end with the demo")
	case is("managed"), is("install"), is("day2"):
	case len(args) == 0:
	case is("drain"):
		show = &scenario.Drain
	case is("repair"):
		show = &scenario.Repair
	default:
		return fmt.Errorf("usage: setplan-demo [central|day2|drain|install|managed|repair]")
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
	if is("install") {
		return s.playInstall(ctx, &scenario.OnInstall)
	}
	if is("managed") {
		return s.playManaged(ctx, &scenario.OnManaged)
	}
	if is("day2") {
		return s.playDay2(ctx, &scenario.OnDay2)
	}
	return s.play(ctx, show)
}
