package node

import (
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/setplan/setplan/deploy/node/internal/network"
)

// program is one that runs for as long as the node does, and is started again when it ends.
type program struct {
	name string
	args []string
	pid  int // 0: it does not run
	hold bool
}

// supervise does what the init process of a machine does. SIGUSR1 kills the kubelet, SIGUSR2 starts it again.
func (c Config) supervise() error {
	kubelet := &program{name: "kubelet", args: []string{
		"--config", kubeletFile, "--kubeconfig", c.API, "--root-dir", kubeletDir, "--hostname-override", c.Name, "--node-ip", network.Node(c.Number),
	}}
	return supervisor{c.Bin, "/var/log"}.run([]*program{
		{name: "containerd", args: []string{"--config", containerdFile}},
		{name: "setplan-csi", args: []string{"--endpoint", "unix://" + driverSocket, "--node", c.Name, "--volumes", c.Volumes, "--kubelet", kubeletDir}},
		kubelet,
	}, kubelet)
}

// Storage runs what makes and grows disks: the driver, and what Kubernetes has for every driver.
func Storage(bin, dir, volumes, kubeconfig string) error {
	socket := "unix://" + filepath.Join(dir, "csi.sock")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return supervisor{bin, dir}.run([]*program{
		{name: "setplan-csi", args: []string{"--endpoint", socket, "--node", "controller", "--volumes", volumes, "--controller"}},
		{name: "csi-provisioner", args: []string{
			"--csi-address", socket, "--kubeconfig", kubeconfig, "--strict-topology", "--immediate-topology=false", "--timeout", "30s",
			"--retry-interval-max", "10s", "--kube-api-qps", "50", "--kube-api-burst", "100",
		}},
		{name: "csi-resizer", args: []string{
			"--csi-address", socket, "--kubeconfig", kubeconfig, "--timeout", "30s", "--retry-interval-max", "10s", "--handle-volume-inuse-error=false",
		}},
	}, nil)
}

// supervisor starts programs and starts those again that end, until a signal to end.
type supervisor struct{ bin, logs string }

func (s supervisor) run(programs []*program, onSignal *program) error {
	signals := make(chan os.Signal, 64)
	signal.Notify(signals, syscall.SIGCHLD, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGTERM, syscall.SIGINT)
	runtime.LockOSThread() // the kernel kills the programs when the thread ends that has started them
	for {
		for _, p := range programs {
			if p.pid == 0 && !p.hold {
				if err := s.start(p); err != nil {
					return err
				}
			}
		}
		switch <-signals {
		case syscall.SIGTERM, syscall.SIGINT:
			return nil
		case syscall.SIGUSR1:
			onSignal.hold = true
			if onSignal.pid != 0 {
				_ = syscall.Kill(onSignal.pid, syscall.SIGKILL)
			}
		case syscall.SIGUSR2:
			onSignal.hold = false
		}
		reap(programs)
	}
}

// reap waits for every process that has ended, orphans included.
func reap(programs []*program) {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		if err != nil || pid <= 0 {
			return
		}
		for _, p := range programs {
			if p.pid == pid {
				slog.Warn("ended", "program", p.name, "code", status.ExitStatus(), "signal", status.Signal())
				p.pid = 0
				time.Sleep(100 * time.Millisecond) // one that cannot run must not keep the machine busy
			}
		}
	}
}

func (s supervisor) start(p *program) error {
	log, err := os.OpenFile(filepath.Join(s.logs, p.name+".log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(filepath.Join(s.bin, p.name), p.args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Env = []string{"HOME=/var/lib", "PATH=" + s.bin + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", p.name, err)
	}
	p.pid = cmd.Process.Pid
	return cmd.Process.Release() // Wait4 is told when it ends
}
