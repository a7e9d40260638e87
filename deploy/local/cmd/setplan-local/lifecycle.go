package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/setplan/setplan/deploy/local/internal/build"
	"github.com/setplan/setplan/deploy/local/internal/cluster"
)

func runBuild(ctx context.Context, args []string, _ io.Writer) error {
	o := newOptions("build")
	bin := o.String("bin", "", "the `folder` to build into (default bin in the repository; bin/VERSION with --kubernetes)")
	version := o.String("kubernetes", "", "the `version` of Kubernetes, one that a module file here is for (default go.mod's)")
	var with build.With
	o.BoolVar(&with.Alone, "alone", false, "build the StatefulSet controller that can run alone, too")
	o.BoolVar(&with.Nodes, "nodes", false, "build what real nodes need, too: kubelet, containerd, CoreDNS and storage")
	if _, err := o.parse(args, 0); err != nil {
		return err
	}
	folder, err := binFolder(*bin)
	if err != nil {
		return err
	}
	root, err := repo()
	if err != nil {
		return err
	}
	module := filepath.Join(root, moduleInRepo)
	release, err := build.Find(ctx, module, *version)
	if err != nil {
		return err
	}
	if *bin == "" {
		folder = filepath.Join(folder, *version)
	}
	return build.Run(ctx, module, release, folder, with)
}

func runUp(ctx context.Context, args []string, out io.Writer) error {
	o := newOptions("up")
	bin := o.String("bin", "", "the `folder` that build has built into (default bin in the repository)")
	controller := o.String("statefulset-controller", "on", "the built-in StatefulSet controller: `on, off or alone`, in a process of its own")
	nodes := o.String("nodes", "2", "the `number` of simulated nodes; real:2 for two kubelets with containerd (root, Linux, build --nodes)")
	audit := o.Bool("audit", false, "log every API request's metadata to audit.log")
	gates := o.String("feature-gates", "", "`gates` for the API server and the controller manager, as X=true,Y=false")
	if _, err := o.parse(args, 0); err != nil {
		return err
	}
	builtin, err := cluster.ParseBuiltin(*controller)
	if err != nil {
		return usagef("--statefulset-controller: %w", err)
	}
	if o.name == "" {
		return usagef("--name is missing")
	}
	count, real := strings.CutPrefix(*nodes, "real:")
	number, err := strconv.Atoi(count)
	if err != nil || number < 1 || real && number > 100 {
		return usagef("--nodes: got %q, want at least 1, or real:1 to real:100", *nodes)
	}
	folder, err := binFolder(*bin)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(folder, "kube-apiserver")); err != nil {
		return fmt.Errorf("nothing is built (run setplan-local build): %w", err)
	}
	if _, err := os.Stat(filepath.Join(folder, "setplan-node")); real && err != nil {
		return fmt.Errorf("the nodes' programs are not built (run setplan-local build --nodes): %w", err)
	}
	i, err := cluster.Up(ctx, o.dir, cluster.Settings{
		Name:         o.name,
		BinDir:       folder,
		Builtin:      builtin,
		Nodes:        number,
		Real:         real,
		Audit:        *audit,
		FeatureGates: *gates,
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(out, i.Kubeconfig())
	return nil
}

func runDown(_ context.Context, args []string, _ io.Writer) error {
	o := newOptions("down")
	all := o.Bool("all", false, "every instance")
	keep := o.Bool("keep-logs", false, "leave the logs and the audit log")
	if _, err := o.parse(args, 0); err != nil {
		return err
	}
	if *all == (o.name != "") {
		return usagef("want either --name or --all")
	}
	if !*all {
		i, err := o.instance()
		if err != nil {
			return err
		}
		return i.Down(*keep)
	}
	instances, err := cluster.List(o.dir)
	if err != nil {
		return err
	}
	for _, i := range instances {
		err = errors.Join(err, i.Down(*keep))
	}
	return err
}
