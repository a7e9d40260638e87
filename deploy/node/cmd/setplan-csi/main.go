// Command setplan-csi is a CSI driver whose volumes are files on this machine, for tests with real kubelets.
package main

import (
	"context"
	"errors"
	"flag"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/setplan/setplan/deploy/node/internal/csi"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		slog.Error("the driver ended", "error", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	var d csi.Driver
	endpoint := flag.String("endpoint", "", "`unix:///path` of the socket to serve on")
	kubelet := flag.String("kubelet", "/var/lib/kubelet", "`folder` of the kubelet to register with")
	flag.StringVar(&d.Node, "node", "", "`name` of the node to mount volumes on; only the controller if empty")
	flag.StringVar(&d.Volumes, "volumes", "", "`folder` of the volumes")
	flag.BoolVar(&d.Controller, "controller", false, "serve the controller: create, grow and delete volumes")
	flag.Parse()
	socket, ok := strings.CutPrefix(*endpoint, "unix://")
	if !ok || !strings.HasPrefix(socket, "/") || !strings.HasPrefix(d.Volumes, "/") || d.Node == "" && !d.Controller || flag.NArg() > 0 {
		flag.Usage()
		return errors.New("--endpoint must be unix:///path, --volumes an absolute path, and --node or --controller must be given")
	}
	return d.Run(ctx, socket, *kubelet)
}
