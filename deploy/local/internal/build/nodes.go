package build

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
)

// nodePackages are the programs of real nodes, in deploy/node's module: its own, and those of others.
var nodePackages = []string{
	"./cmd/...",
	"github.com/containerd/containerd/v2/cmd/containerd",
	"github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2",
	"github.com/kubernetes-csi/external-provisioner/v6/cmd/csi-provisioner",
	"github.com/kubernetes-csi/external-resizer/v2/cmd/csi-resizer",
}

// nodes builds the programs of real nodes, and the image of each pod's first container.
func nodes(ctx context.Context, moduleDir, binDir string) error {
	for _, args := range [][]string{append([]string{binDir + "/"}, nodePackages...), {filepath.Join(binDir, "etcd-server"), "go.etcd.io/etcd/server/v3"}} {
		cmd := exec.CommandContext(ctx, "go", append([]string{"build", "-v", "-ldflags", "-s -w", "-o"}, args...)...)
		cmd.Dir = moduleDir
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // containers have no libraries
		if err := run(cmd); err != nil {
			return err
		}
	}
	images := filepath.Join(binDir, "node-images")
	if err := os.MkdirAll(images, 0o755); err != nil {
		return err
	}
	pause := exec.CommandContext(ctx, filepath.Join(binDir, "setplan-node"), "image", "--out", filepath.Join(images, "pause.tar"),
		"--name", "setplan.local/pause:1", "--entrypoint", "/pause", "/pause="+filepath.Join(binDir, "pause"))
	pause.Stderr = os.Stderr
	return pause.Run()
}
