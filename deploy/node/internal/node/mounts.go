package node

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/setplan/setplan/deploy/node/internal/network"
)

// dirs are the standard folders that a node has for itself: where they are in its own folder.
var dirs = []struct{ standard, own string }{
	{"/var/lib", "lib"},
	{"/var/log", "log"},
	{"/run", "run"},
}

// setUp makes the namespaces of the first process look like a machine.
func (c Config) setUp() error {
	resolv, err := filepath.EvalSymlinks("/etc/resolv.conf") // on some machines in /run, which is another one below
	if err != nil {
		return err
	}
	if err := syscall.Sethostname([]byte(c.Name)); err != nil {
		return fmt.Errorf("set host name: %w", err)
	}
	// First nothing goes out to the machine; then what containerd and the kubelet mount goes to the containers that ask for it.
	for _, flags := range []uintptr{syscall.MS_REC | syscall.MS_PRIVATE, syscall.MS_REC | syscall.MS_SHARED} {
		if err := syscall.Mount("", "/", "", flags, ""); err != nil {
			return fmt.Errorf("detach mounts: %w", err)
		}
	}
	for _, dir := range dirs {
		if err := syscall.Mount(filepath.Join(c.Dir, dir.own), dir.standard, "", syscall.MS_BIND, ""); err != nil {
			return fmt.Errorf("mount %s: %w", dir.standard, err)
		}
		// The mounts above it are of the machine. This one is not shared with it, but must be shared with containers.
		if err := syscall.Mount("", dir.standard, "", syscall.MS_SHARED, ""); err != nil {
			return fmt.Errorf("share %s: %w", dir.standard, err)
		}
	}
	if err := syscall.Mount("proc", "/proc", "proc", 0, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	if err := network.Configure(c.Number); err != nil {
		return fmt.Errorf("set up network: %w", err)
	}
	for name, data := range c.files() {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return err
		}
	}
	// An image that is not there is looked for in a registry. The machine's name servers cannot be reached, and would be waited for.
	if err := os.MkdirAll(filepath.Dir(resolv), 0o755); err != nil {
		return err
	}
	place, err := os.OpenFile(resolv, os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	place.Close()
	if err := syscall.Mount(resolvFile, resolv, "", syscall.MS_BIND, ""); err != nil {
		return fmt.Errorf("mount /etc/resolv.conf: %w", err)
	}
	return nil
}
