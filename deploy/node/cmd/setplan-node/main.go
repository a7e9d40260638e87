// Command setplan-node is what a local control plane needs for real nodes: their network, the nodes, and their disks. setplan-local starts it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/setplan/setplan/deploy/node/internal/image"
	"github.com/setplan/setplan/deploy/node/internal/network"
	"github.com/setplan/setplan/deploy/node/internal/node"
)

const usage = `usage: setplan-node COMMAND [FLAGS]

  network    the network of all nodes, with DNS
  storage    makes and grows the disks of claims
  node       one node: containerd, a kubelet and the driver of disks
  clear      remove the control groups of nodes that have ended
  image      make an image of files of this machine
  load       give images to nodes

"setplan-node COMMAND -h" lists a command's flags.
`

var commands = map[string]func(args []string) error{
	"network": runNetwork,
	"storage": runStorage,
	"node":    runNode,
	"clear":   runClear,
	"image":   runImage,
	"load":    runLoad,
}

func main() {
	if node.IsChild(os.Args) {
		exit(node.First(os.Args))
	}
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	exit(commands[os.Args[1]](os.Args[2:]))
}

func exit(err error) {
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "setplan-node:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// bin is the folder that this program is in, with the others.
func bin() (string, error) {
	self, err := os.Executable()
	return filepath.Dir(self), err
}

func runNetwork(args []string) error {
	flags := flag.NewFlagSet("network", flag.ContinueOnError)
	var s network.Services
	flags.IntVar(&s.Nodes, "nodes", 1, "the `number` of nodes")
	flags.StringVar(&s.APIServer, "apiserver", "", "the `address` of the API server on this machine")
	flags.StringVar(&s.Socket, "socket", "", "the `socket` of a proxy into the network, for the API server")
	flags.StringVar(&s.Path, "path", "", "the `file` that is to say where the network's namespace is")
	flags.StringVar(&s.Kubeconfig, "kubeconfig", "", "the `kubeconfig` of DNS")
	if err := flags.Parse(args); err != nil {
		return err
	}
	folder, err := bin()
	if err != nil {
		return err
	}
	s.DNS = filepath.Join(folder, "setplan-dns")
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return s.Run(ctx)
}

func runStorage(args []string) error {
	flags := flag.NewFlagSet("storage", flag.ContinueOnError)
	dir := flags.String("dir", "", "the `folder` of the socket and the logs")
	volumes := flags.String("volumes", "", "the `folder` of the disks")
	kubeconfig := flags.String("kubeconfig", "", "the `kubeconfig`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	folder, err := bin()
	if err != nil {
		return err
	}
	return node.Storage(folder, *dir, *volumes, *kubeconfig)
}

func runNode(args []string) error {
	flags := flag.NewFlagSet("node", flag.ContinueOnError)
	var c node.Config
	flags.StringVar(&c.Name, "name", "", "the node's `name`")
	flags.IntVar(&c.Number, "number", 0, "which `node` of its network it is, from 0")
	flags.StringVar(&c.Dir, "dir", "", "the node's `folder`")
	flags.StringVar(&c.Volumes, "volumes", "", "the `folder` of the disks of all nodes")
	flags.StringVar(&c.Network, "network", "", "the `file` that says where the network's namespace is")
	flags.StringVar(&c.Cgroup, "cgroup", "", "the `name` of the node's control group")
	flags.StringVar(&c.API, "kubeconfig", "", "the `kubeconfig` of the kubelet")
	flags.StringVar(&c.Loaded, "loaded", "", "the `file` that is to say that the node has the images of bin/node-images")
	err := flags.Parse(args)
	if err == nil {
		c.Bin, err = bin()
	}
	if err != nil {
		return err
	}
	return node.Run(c)
}

func runClear(args []string) error {
	for _, name := range args {
		if err := node.ClearCgroups(name); err != nil {
			return err
		}
	}
	return nil
}

// list is a flag that may be given more than once.
type list []string

func (l *list) String() string { return strings.Join(*l, " ") }

func (l *list) Set(value string) error {
	*l = append(*l, value)
	return nil
}

func runImage(args []string) error {
	flags := flag.NewFlagSet("image", flag.ContinueOnError)
	var i image.Image
	var labels list
	out := flags.String("out", "", "the archive to write, a `file`")
	flags.Var((*list)(&i.Names), "name", "the image's `name`, as setplan.local/etcd:1; more than one are the same image")
	flags.Var((*list)(&i.Entrypoint), "entrypoint", "the program, and then each of its first arguments, a `word` each time")
	flags.Var((*list)(&i.Env), "env", "a variable, as `NAME=VALUE`")
	flags.Var(&labels, "label", "a label, as `NAME=VALUE`: images that differ in one have different digests")
	flags.StringVar(&i.User, "user", "", "the `uid:gid` that its containers run as (default root)")
	flags.BoolVar(&i.Libraries, "libraries", false, "add the shared libraries that the programs need")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: setplan-node image --out FILE --name NAME [FLAGS] PATH-IN-IMAGE=FILE-OR-FOLDER ...")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *out == "" || len(i.Names) == 0 || flags.NArg() == 0 {
		return errors.New("--out, --name and at least one file are needed")
	}
	i.Files, i.Labels = map[string]string{}, map[string]string{}
	for _, pairs := range []struct {
		to    map[string]string
		words []string
	}{{i.Files, flags.Args()}, {i.Labels, labels}} {
		for _, word := range pairs.words {
			key, value, ok := strings.Cut(word, "=")
			if !ok {
				return fmt.Errorf("%q must be as NAME=VALUE", word)
			}
			pairs.to[key] = value
		}
	}
	return i.Write(*out)
}

func runLoad(args []string) error {
	flags := flag.NewFlagSet("load", flag.ContinueOnError)
	var nodes list
	flags.Var(&nodes, "node", "the `folder` of a node, each time")
	if err := flags.Parse(args); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for _, dir := range nodes {
		if err := node.Load(ctx, dir, flags.Args()...); err != nil {
			return err
		}
	}
	return nil
}
