// Command setplan-local runs Kubernetes control planes on this machine, for the
// end-to-end tests and for the demo. See the README beside its module.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
)

const usage = `usage: setplan-local COMMAND [FLAGS]

  build                               build etcd, the Kubernetes components, kubectl and kwok
  up --name NAME                      start an instance, print the path of its kubeconfig
  down --name NAME | --all            stop instances and remove what they left
  list                                the instances, their state and their kubeconfigs
  kubeconfig --name NAME              print the path of the kubeconfig
  statefulset-controller on|off|alone --name NAME
                                      where the built-in StatefulSet controller runs
  restart|stop|start COMPONENT --name NAME
  logs --name NAME COMPONENT          print a component's log

COMPONENT is etcd, apiserver, controller-manager, scheduler or kwok,
statefulset-controller where that runs alone, and with real nodes storage, node-0
and kubelet-0 and so on in the place of kwok.
"setplan-local COMMAND -h" lists a command's flags.
`

var commands = map[string]func(ctx context.Context, args []string, out io.Writer) error{
	"build":                  runBuild,
	"up":                     runUp,
	"down":                   runDown,
	"list":                   runList,
	"kubeconfig":             runKubeconfig,
	"statefulset-controller": runStatefulSetController,
	"restart":                runRestart,
	"stop":                   runStop,
	"start":                  runStart,
	"logs":                   runLogs,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run writes results to out, and progress and complaints to progress.
func run(ctx context.Context, args []string, out, progress io.Writer) int {
	slog.SetDefault(slog.New(slog.NewTextHandler(progress, nil)))
	if len(args) == 0 {
		fmt.Fprint(progress, usage)
		return 2
	}
	command, ok := commands[args[0]]
	if !ok {
		fmt.Fprint(progress, usage)
		return 2
	}
	err := command(ctx, args[1:], out)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, new(usageError)):
		fmt.Fprintf(progress, "setplan-local %s: %v\n", args[0], err)
		return 2
	default:
		fmt.Fprintf(progress, "setplan-local %s: %v\n", args[0], err)
		return 1
	}
}
