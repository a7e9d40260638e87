//go:build linux

package kubelet

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	corev1 "k8s.io/api/core/v1"
)

// Pod is a pod whose containers run.
type Pod struct {
	Name string
	// Logs are files, by the container's name.
	Logs map[string]string

	network    *network
	folder     string
	end        context.CancelFunc
	containers sync.WaitGroup
	processes  map[string]*container // by the container's name
	pod        *corev1.Pod
}

func (k *Kubelet) start(ctx context.Context, pod *corev1.Pod) (*Pod, error) {
	p := &Pod{Name: pod.Name, Logs: map[string]string{}, processes: map[string]*container{}, folder: filepath.Join(k.Folder, string(pod.UID)), pod: pod}
	host, port, err := k.apiServer()
	if err != nil {
		return nil, err
	}
	if p.network, err = newNetwork(append([]string{host + ":" + port}, k.Forward...)); err != nil {
		return nil, err
	}
	running, end := context.WithCancel(context.Background())
	p.end = end
	for i := range pod.Spec.Containers {
		c, err := k.container(ctx, p, &pod.Spec.Containers[i])
		if err != nil {
			p.stop()
			return nil, fmt.Errorf("container %s: %w", pod.Spec.Containers[i].Name, err)
		}
		c.env = append(c.env, "KUBERNETES_SERVICE_HOST="+host, "KUBERNETES_SERVICE_PORT="+port)
		p.Logs[c.name], p.processes[c.name] = c.log, c
		p.containers.Go(func() { c.run(running) })
	}
	return p, nil
}

// PID is the process of a container.
func (p *Pod) PID(container string) (int, error) {
	if pid := p.processes[container].pid.Load(); pid != 0 {
		return int(pid), nil
	}
	return 0, fmt.Errorf("%s does not run", container)
}

// stop ends the containers as a kubelet does, and then the network.
func (p *Pod) stop() {
	p.end()
	p.containers.Wait()
	p.network.close()
	_ = os.RemoveAll(p.folder) // what is left is in a temporary folder
}
