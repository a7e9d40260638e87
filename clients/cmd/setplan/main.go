// Command setplan shows what StatefulSets need next and what they wait for. Under the name kubectl-setplan it is the
// kubectl plugin "kubectl setplan".
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	_ "k8s.io/client-go/plugin/pkg/client/auth" // credentials of clouds and OIDC, as kubectl has them

	"github.com/setplan/setplan/clients/cli"
	"github.com/setplan/setplan/server"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// From the first signal on, the next one has its usual effect.
	context.AfterFunc(ctx, stop)
	command := cli.Command(cli.Config{
		Embedded: func() cli.PlannerInProcess { return server.NewService(server.ServiceOptions{}) },
		Version:  server.Version(),
		Program:  os.Args[0],
		Streams:  genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr},
	})
	if err := command.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "setplan:", err)
		os.Exit(1)
	}
}
