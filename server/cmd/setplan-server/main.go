// Command setplan-server is the planner as a gRPC service: adapters send it a snapshot of a StatefulSet and get back what to
// do next. It keeps nothing between calls, so it needs no storage, and any number of servers may run.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/setplan/setplan/server"
)

func main() {
	if err := command().ExecuteContext(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "setplan-server:", err)
		os.Exit(1)
	}
}

func command() *cobra.Command {
	f := &flags{}
	c := &cobra.Command{
		Use:   "setplan-server",
		Short: "Plans what a StatefulSet needs next",
		Long: `setplan-server answers Plan calls: a snapshot of one StatefulSet in, an ordered list of actions out.
It talks to no cluster and keeps no state between calls.

SIGTERM and SIGINT shut it down gracefully: health reports NOT_SERVING, new calls get UNAVAILABLE, calls in flight finish. A
second signal ends it at once.`,
		Example: `  # on this machine, without TLS
  setplan-server

  # for remote adapters, which must present a certificate
  setplan-server --listen-address :7450 --metrics-address :7451 \
    --tls-cert-file tls.crt --tls-key-file tls.key --client-ca-file ca.crt`,
		Args:          cobra.NoArgs,
		Version:       server.Version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(c *cobra.Command, _ []string) error { return run(c.Context(), f) },
	}
	f.register(c.Flags())
	return c
}

func run(ctx context.Context, f *flags) error {
	if err := f.check(); err != nil {
		return err
	}
	log, err := f.logger(os.Stderr)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	// After the first signal, the next one has its usual effect.
	context.AfterFunc(ctx, stop)

	config := f.config
	config.Log, config.Turns = log, useThreads()
	s, err := server.New(config)
	if err != nil {
		return err
	}
	return s.Run(ctx)
}
