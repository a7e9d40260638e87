//go:build linux

// Package kubelet runs the containers of pods as processes of this machine, without a container engine: those of our own pods, as a
// chart makes them, on a control plane whose nodes are simulated. Each pod has a network of its own, each container a root file
// system that it cannot write to, the user of its image, and what its pod mounts: the token of its service account, configuration and
// secrets. It needs root, and runs no image but those that were unpacked for it.
package kubelet

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// Kubelet runs the pods of one namespace.
type Kubelet struct {
	Images    string // folder of unpacked images: NAME:VERSION/rootfs and config.json
	Folder    string // of the pods and their logs
	Namespace string
	Client    kubernetes.Interface
	API       *rest.Config // address and authority of the API server
	Forward   []string     // further addresses on this machine's loopback that pods reach

	mu   sync.Mutex
	pods map[types.UID]*Pod
}

// Run starts pods as they appear and ends them as they go, until the context ends; then it ends them all.
func (k *Kubelet) Run(ctx context.Context) error {
	if os.Geteuid() != 0 {
		return errors.New("running the containers of pods needs root: they get a network and a root file system of their own")
	}
	k.mu.Lock()
	k.pods = map[types.UID]*Pod{}
	k.mu.Unlock()
	defer k.stop(func(types.UID) bool { return false })
	for ctx.Err() == nil {
		list, err := k.Client.CoreV1().Pods(k.Namespace).List(ctx, metav1.ListOptions{})
		if err == nil {
			err = k.sync(ctx, list.Items)
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
	return nil
}

// sync compares what runs with what there is.
func (k *Kubelet) sync(ctx context.Context, pods []corev1.Pod) error {
	wanted := map[types.UID]bool{}
	for i := range pods {
		if pods[i].DeletionTimestamp == nil {
			wanted[pods[i].UID] = true
		}
	}
	k.stop(func(uid types.UID) bool { return wanted[uid] })
	for i := range pods {
		pod := &pods[i]
		if !wanted[pod.UID] || k.running(pod.UID) != nil {
			continue
		}
		p, err := k.start(ctx, pod)
		if err != nil {
			return fmt.Errorf("pod %s: %w", pod.Name, err)
		}
		k.mu.Lock()
		k.pods[pod.UID] = p
		k.mu.Unlock()
	}
	return nil
}

func (k *Kubelet) running(uid types.UID) *Pod {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.pods[uid]
}

// Pods are those that run now, by name.
func (k *Kubelet) Pods() []*Pod {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.SortedFunc(maps.Values(k.pods), func(a, b *Pod) int { return strings.Compare(a.Name, b.Name) })
}

// stop ends the pods that are not kept, all at once.
func (k *Kubelet) stop(keep func(types.UID) bool) {
	k.mu.Lock()
	var ending []*Pod
	for uid, p := range k.pods {
		if !keep(uid) {
			ending = append(ending, p)
			delete(k.pods, uid)
		}
	}
	k.mu.Unlock()
	var waiting sync.WaitGroup
	for _, p := range ending {
		waiting.Go(p.stop)
	}
	waiting.Wait()
}

// log is the file that a container writes to.
func (k *Kubelet) log(pod, container string) string {
	return filepath.Join(k.Folder, pod+"-"+container+".log")
}
