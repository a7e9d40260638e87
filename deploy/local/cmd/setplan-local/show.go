package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/setplan/setplan/deploy/local/internal/cluster"
)

func runList(_ context.Context, args []string, out io.Writer) error {
	o := newOptions("list")
	if _, err := o.parse(args, 0); err != nil {
		return err
	}
	instances, err := cluster.List(o.dir)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tRUNNING\tSTATEFULSET-CONTROLLER\tSERVER\tKUBECONFIG")
	for _, i := range instances {
		running, err := i.Running()
		if err != nil {
			return err
		}
		fmt.Fprintf(table, "%s\t%d/%d\t%s\thttps://127.0.0.1:%d\t%s\n",
			i.Name, len(running), len(i.Components()), i.Builtin, i.Ports.APIServer, i.Kubeconfig())
	}
	return table.Flush()
}

func runKubeconfig(_ context.Context, args []string, out io.Writer) error {
	o := newOptions("kubeconfig")
	if _, err := o.parse(args, 0); err != nil {
		return err
	}
	i, err := o.instance()
	if err != nil {
		return err
	}
	fmt.Fprintln(out, i.Kubeconfig())
	return nil
}

func runLogs(_ context.Context, args []string, out io.Writer) error {
	return newOptions("logs").onComponent(args, func(i *cluster.Instance, c cluster.Component) error {
		log, err := os.Open(i.LogPath(c))
		if err != nil {
			return fmt.Errorf("open log: %w", err)
		}
		defer log.Close()
		_, err = io.Copy(out, log)
		return err
	})
}
