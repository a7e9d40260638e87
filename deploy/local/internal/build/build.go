// Package build makes the programs that a local control plane consists of.
package build

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

const binary = "controlplane"

// alone is a controller manager in a binary of its own. What the one binary
// maps and sets up for the other programs would count as the memory of a
// controller that is measured.
const alone = "statefulset-controller"

// programs are the names under which the one binary is called.
var programs = []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl", "kwok"}

// With is what is built beside the control plane.
type With struct {
	Alone bool // the StatefulSet controller that can run alone
	Nodes bool // the programs of real nodes
}

// Run builds the binary from the module's source into binDir, with a link for
// every program, and if it is asked for the controller manager that stands alone. It tells how far it is only while there
// is something to compile: the first time takes minutes.
func Run(ctx context.Context, moduleDir string, release Release, binDir string, with With) error {
	binDir, err := filepath.Abs(binDir)
	if err != nil {
		return fmt.Errorf("locate bin folder: %w", err)
	}
	if err := os.MkdirAll(binDir, 0o755); err != nil {
		return fmt.Errorf("make bin folder: %w", err)
	}
	packages := map[string]string{binary: "./cmd/" + binary}
	if with.Nodes {
		packages["kubelet"] = "k8s.io/kubernetes/cmd/kubelet"
	}
	if with.Alone {
		packages[alone] = "k8s.io/kubernetes/cmd/kube-controller-manager"
	}
	for name, pkg := range packages {
		if err := compile(ctx, moduleDir, release, filepath.Join(binDir, name), pkg); err != nil {
			return fmt.Errorf("build %s: %w", name, err)
		}
	}
	if with.Nodes {
		if err := nodes(ctx, filepath.Join(moduleDir, "..", "node"), binDir); err != nil {
			return fmt.Errorf("build the nodes' programs: %w", err)
		}
	}
	for _, program := range programs {
		if err := link(filepath.Join(binDir, program)); err != nil {
			return fmt.Errorf("link %s: %w", program, err)
		}
	}
	return nil
}

func compile(ctx context.Context, moduleDir string, release Release, output, pkg string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-modfile="+release.file, "-v", "-o", output, "-ldflags", release.ldflags(), pkg)
	cmd.Dir = moduleDir
	return run(cmd)
}

// run tells how far a go build is, and what it complains about.
func run(cmd *exec.Cmd) error {
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	var packages atomic.Int64
	stop := make(chan struct{})
	go report(&packages, began, stop)

	// -v prints one line for every package it compiles, and nothing for those
	// that the build cache has. Everything else is worth reading.
	var other []string
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if line := lines.Text(); isPackage(line) {
			packages.Add(1)
		} else {
			other = append(other, line)
		}
	}
	err = cmd.Wait()
	close(stop)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, strings.Join(other, "\n"))
	}
	if n := packages.Load(); n > 0 {
		slog.Info("built", "packages", n, "seconds", int(time.Since(began).Seconds()))
	}
	return nil
}

// report tells about a build that takes its time.
func report(packages *atomic.Int64, began time.Time, stop <-chan struct{}) {
	tick := time.NewTicker(10 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			slog.Info("building (about 2,800 packages the first time, 1,500 more for real nodes)",
				"packages", packages.Load(), "seconds", int(time.Since(began).Seconds()))
		}
	}
}

// isPackage tells an import path from a message of the compiler or of the
// module download, which have spaces in them.
func isPackage(line string) bool {
	return line != "" && !strings.ContainsAny(line, " \t#")
}

// link makes a relative symbolic link, so that the folder can be moved.
func link(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Symlink(binary, path)
}
