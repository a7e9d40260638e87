package outside

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// process is the adapter, whose output goes to a file.
type process struct {
	log     string
	command *exec.Cmd
	ended   chan struct{} // closed when it has ended
}

// kubeconfig writes a file that leads to the gateway.
func kubeconfig(path, host string) error {
	config := clientcmdapi.NewConfig()
	config.Clusters["gateway"] = &clientcmdapi.Cluster{Server: host}
	config.AuthInfos["adapter"] = &clientcmdapi.AuthInfo{}
	config.Contexts["gateway"] = &clientcmdapi.Context{Cluster: "gateway", AuthInfo: "adapter"}
	config.CurrentContext = "gateway"
	return clientcmd.WriteToFile(*config, path)
}

// begin starts an adapter by its command line, in which {kubeconfig}, {planner} and {ca} are replaced.
func begin(line, folder string, g *gateway, p *planner) (*process, error) {
	config, ca := filepath.Join(folder, "kubeconfig"), filepath.Join(folder, "ca.crt")
	if err := errors.Join(kubeconfig(config, g.server.URL), os.WriteFile(ca, p.ca, 0o600)); err != nil {
		return nil, err
	}
	line = strings.NewReplacer("{kubeconfig}", config, "{planner}", p.address, "{ca}", ca).Replace(line)
	log, err := os.Create(filepath.Join(folder, "adapter.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	command := exec.Command("sh", "-c", "exec "+line)
	command.Stdout, command.Stderr = log, log
	// In a process group of its own, so that its children end with it. It must not outlive this program.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := command.Start(); err != nil {
		return nil, err
	}
	one := &process{log: log.Name(), command: command, ended: make(chan struct{})}
	go func() {
		_ = command.Wait() // how it ended is in its log
		close(one.ended)
	}()
	return one, nil
}

// alive is nil while the adapter runs.
func (p *process) alive() error {
	select {
	case <-p.ended:
		return fmt.Errorf("the adapter has ended: %s: see %s", p.command.ProcessState, p.log)
	default:
		return nil
	}
}

// end asks the adapter to end, and kills it after ten seconds.
func (p *process) end() {
	_ = syscall.Kill(-p.command.Process.Pid, syscall.SIGTERM) // it may have ended
	select {
	case <-p.ended:
	case <-time.After(10 * time.Second):
	}
	_ = syscall.Kill(-p.command.Process.Pid, syscall.SIGKILL) // and its children
	<-p.ended
}
