package network

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// Services is the process that has the network of an instance, and what it serves there.
type Services struct {
	Nodes      int
	APIServer  string // address on the machine
	Socket     string // of the proxy into the network
	Path       string // file with the namespace's path
	DNS        string // CoreDNS
	Kubeconfig string // of DNS
}

// corefile serves the names of services and pods, from what the API server says.
const corefile = `.:53 {
    bind %s
    errors
    ready 127.0.0.1:8181
    kubernetes cluster.local in-addr.arpa {
        kubeconfig %q
        pods insecure
        ttl 1
    }
}
`

// Run serves until the context ends.
func (s Services) Run(ctx context.Context) error {
	ns, err := New(s.Nodes)
	if err != nil {
		return err
	}
	inside, err := ns.Listen(net.JoinHostPort(APIServer, "443"))
	if err != nil {
		return err
	}
	if err := os.Remove(s.Socket); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	proxy, err := net.Listen("unix", s.Socket)
	if err != nil {
		return err
	}
	failed := make(chan error, 2)
	go func() { failed <- ns.Proxy(proxy) }()
	go func() {
		failed <- Forward(inside, func() (net.Conn, error) { return net.DialTimeout("tcp", s.APIServer, dialTimeout) })
	}()
	if err := s.startDNS(ctx, ns); err != nil {
		return err
	}
	if err := os.WriteFile(s.Path+".tmp", []byte(ns.Path()), 0o644); err != nil {
		return err
	}
	if err := os.Rename(s.Path+".tmp", s.Path); err != nil {
		return err
	}
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return nil
	}
}

// startDNS runs DNS until the context ends, and starts it again when it ends before.
func (s Services) startDNS(ctx context.Context, ns *Namespace) error {
	conf := filepath.Join(filepath.Dir(s.Path), "Corefile")
	if err := os.WriteFile(conf, fmt.Appendf(nil, corefile, DNS, s.Kubeconfig), 0o644); err != nil {
		return err
	}
	if _, err := exec.LookPath(s.DNS); err != nil {
		return err
	}
	go func() {
		runtime.LockOSThread() // the kernel kills DNS when the thread ends that has started it
		for ; ctx.Err() == nil; time.Sleep(100 * time.Millisecond) {
			cmd := exec.Command(s.DNS, "-conf", conf)
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
			err := ns.Do(cmd.Start)
			if err == nil {
				err = cmd.Wait()
			}
			slog.Warn("DNS has ended, and starts again", "err", err)
		}
	}()
	return nil
}
