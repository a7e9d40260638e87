// Package node runs a Kubernetes node as a tree of processes: containerd, the kubelet and the driver of disks, in namespaces of their own. What
// they mount, start and listen on is seen nowhere else, and it is gone when the first process ends, however that ends. Only control groups stay, which
// ClearCgroups removes.
package node

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"github.com/setplan/setplan/deploy/node/internal/network"
)

// Config is a node. The folder keeps what a machine's disk would keep over a restart.
type Config struct {
	Name    string
	Number  int    // from 0, which gives it its addresses
	Dir     string // the node's own folder
	Bin     string // of the programs
	Volumes string // the folder of disks, the same for all nodes
	Network string // file that says where the instance's network namespace is
	Cgroup  string // the name of its control group
	API     string // kubeconfig of the kubelet
	Loaded  string // file that says that the images are there
}

// child is the argument by which the program knows that it is the first process of a node.
const child = "first-process"

// IsChild says whether this process was started by Run, inside of a node.
func IsChild(args []string) bool { return len(args) > 1 && args[1] == child }

// args are what Run gives to the first process.
func (c Config) args() []string {
	return []string{child, c.Name, strconv.Itoa(c.Number), c.Dir, c.Bin, c.Volumes, c.Cgroup, c.API}
}

func fromArgs(args []string) (Config, error) {
	if len(args) != 9 {
		return Config{}, fmt.Errorf("got %d arguments, want 8", len(args)-1)
	}
	number, err := strconv.Atoi(args[3])
	return Config{Name: args[2], Number: number, Dir: args[4], Bin: args[5], Volumes: args[6], Cgroup: args[7], API: args[8]}, err
}

// Run runs the node until a signal to end, and removes its control groups then. SIGUSR1 kills its kubelet, SIGUSR2 starts it again.
func Run(c Config) error {
	if err := c.check(); err != nil {
		return err
	}
	path, err := os.ReadFile(c.Network)
	if err != nil {
		return err
	}
	ns, err := network.Open(string(path))
	if err != nil {
		return err
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2)
	if err := ClearCgroups(c.Cgroup); err != nil {
		return err
	}
	if err := makeCgroups(c.Cgroup); err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(c.Dir, "run")); err != nil { // a machine that starts has nothing there
		return err
	}
	for _, dir := range dirs {
		if err := os.MkdirAll(filepath.Join(c.Dir, dir.own), 0o755); err != nil {
			return fmt.Errorf("make folder of %s: %w", c.Name, err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	first := exec.Command(self, c.args()...)
	first.Stdout, first.Stderr = os.Stdout, os.Stderr
	plugged, err := first.StdinPipe() // closed once the link is there
	if err != nil {
		return err
	}
	first.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC,
		Pdeathsig:  syscall.SIGKILL,
	}
	runtime.LockOSThread() // the kernel sends that signal when the thread ends
	if err := first.Start(); err != nil {
		return fmt.Errorf("start %s: %w", c.Name, err)
	}
	if err := ns.Plug(c.Number, first.Process.Pid); err != nil {
		return errors.Join(err, first.Process.Kill(), first.Wait())
	}
	plugged.Close()
	ended := make(chan error, 2)
	go func() { ended <- first.Wait() }()
	go func() {
		if err := c.loadAll(); err != nil {
			ended <- errors.Join(err, first.Process.Kill())
		}
	}()
	for {
		select {
		case err := <-ended:
			return errors.Join(fmt.Errorf("%s has ended: %w", c.Name, err), ClearCgroups(c.Cgroup))
		case s := <-signals:
			if s == syscall.SIGUSR1 || s == syscall.SIGUSR2 {
				_ = first.Process.Signal(s)
				continue
			}
			// The kernel kills every process of the namespace with its first.
			_ = first.Process.Kill()
			<-ended
			return ClearCgroups(c.Cgroup)
		}
	}
}

// check names what the machine lacks before anything has begun.
func (c Config) check() error {
	if os.Geteuid() != 0 {
		return errors.New("a node needs root: it mounts, and makes namespaces and control groups")
	}
	for _, part := range []struct{ path, from string }{
		{"runc", "the package runc"},
		{"mkfs.xfs", "the package xfsprogs"},
		{"mount", "the package mount"},
		{filepath.Join(cniPlugins, "bridge"), "the package containernetworking-plugins"},
	} {
		if _, err := exec.LookPath(part.path); err != nil {
			return fmt.Errorf("%s is missing: install %s (apt-get install on Debian): %w", part.path, part.from, err)
		}
	}
	for _, dir := range dirs {
		for _, used := range []string{c.Dir, c.Bin, c.Volumes} {
			if rest, err := filepath.Rel(dir.standard, used); err == nil && filepath.IsLocal(rest) {
				return fmt.Errorf("%s is in %s, which a node has for itself: use another folder", used, dir.standard)
			}
		}
	}
	return nil
}

// First is what the first process of a node does.
func First(args []string) error {
	c, err := fromArgs(args)
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil { // until the link is there
		return err
	}
	if err := c.setUp(); err != nil {
		return fmt.Errorf("set up %s: %w", c.Name, err)
	}
	return c.supervise()
}

// loadAll gives the node the images that are beside the programs.
func (c Config) loadAll() error {
	archives, err := filepath.Glob(filepath.Join(c.Bin, "node-images", "*.tar"))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := Load(ctx, c.Dir, archives...); err != nil {
		return err
	}
	return os.WriteFile(c.Loaded, nil, 0o644)
}
