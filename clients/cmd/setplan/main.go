// Command setplan shows what StatefulSets need next and what they wait for. Under the name kubectl-setplan it is the
// kubectl plugin "kubectl setplan".
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	_ "k8s.io/client-go/plugin/pkg/client/auth" // credentials of clouds and OIDC, as kubectl has them

	"github.com/setplan/setplan/clients/cli"
	"github.com/setplan/setplan/clients/cli/printable"
	"github.com/setplan/setplan/server"
)

const (
	// grace is how long a command may take to end after Ctrl-C.
	grace = 5 * time.Second
	// interrupted is the exit code of a program that SIGINT has ended, as shells report it.
	interrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// After the first signal, the next one has its usual effect. And a command that ignores the first one is not waited for.
	context.AfterFunc(ctx, func() {
		stop()
		time.AfterFunc(grace, func() { os.Exit(interrupted) })
	})
	command := cli.Command(cli.Config{
		Embedded: func() cli.PlannerInProcess { return server.NewService(server.ServiceOptions{}) },
		Version:  server.Version(),
		Program:  os.Args[0],
		Streams:  genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr},
	})
	if err := command.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "setplan:", printable.Lines(err.Error()))
		os.Exit(cli.ExitCode(err))
	}
}
