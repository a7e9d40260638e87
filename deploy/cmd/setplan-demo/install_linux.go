package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/setplan/setplan/deploy/kubelet"
	"github.com/setplan/setplan/deploy/scenario"
)

// installation is what Helm has installed: its pods' containers run as processes.
type installation struct {
	kubelet *kubelet.Kubelet
	client  kubernetes.Interface
	ended   chan error
	cancel  context.CancelFunc
}

// namespace is where the chart is installed.
const namespace = "setplan-system"

// playInstall plays the demo of the chart.
func (s *stage) playInstall(ctx context.Context, show *scenario.Managed) error {
	fmt.Println(show.Intro)
	if err := s.startCluster(ctx, "on"); err != nil {
		return err
	}
	for _, version := range []string{scenario.Older, scenario.Newer} { // under the names that the user types
		name := "setplan-" + strings.TrimPrefix(version, "v") + ".tgz"
		if err := os.Symlink(filepath.Join(s.bin, "release", version, name), filepath.Join(s.folder, name)); err != nil {
			return err
		}
	}
	config, err := clientcmd.BuildConfigFromFlags("", s.kubeconfig)
	if err != nil {
		return err
	}
	config.QPS, config.Burst = 50, 100
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	pods := filepath.Join(s.folder, "pods")
	if err := os.Mkdir(pods, 0o755); err != nil {
		return err
	}
	running, cancel := context.WithCancel(context.Background())
	s.release = &installation{client: client, ended: make(chan error, 1), cancel: cancel, kubelet: &kubelet.Kubelet{
		Images: filepath.Join(s.bin, "images"), Folder: pods, Namespace: namespace, Client: client, API: config}}
	go func() { s.release.ended <- s.release.kubelet.Run(running) }()
	asked, err := s.steps(ctx, show)
	if err != nil {
		return err
	}
	fmt.Printf("\n%d pods were recreated, once each, by the rollout that the user asked for. Upgrade, downgrade and uninstallation touched 0 pods.\n", asked)
	return nil
}

// installed waits until an adapter of a version is ready and holds the lease; without a version, until none runs.
func (s *stage) installed(ctx context.Context, version string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		missing := s.release.missing(ctx, version)
		if missing == nil {
			return nil
		}
		select {
		case err := <-s.release.ended:
			s.release.ended <- err
			return fmt.Errorf("the pods' containers have ended: %w", err)
		case <-ctx.Done():
			return missing
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (i *installation) missing(ctx context.Context, version string) error {
	running := i.kubelet.Pods()
	if version == "" {
		if len(running) > 0 {
			return fmt.Errorf("%d pods of ours run", len(running))
		}
		return nil
	}
	lease, err := i.client.CoordinationV1().Leases(metav1.NamespaceSystem).Get(ctx, "setplan-adapter-statefulsets-apps-setplan-io", metav1.GetOptions{})
	if err != nil {
		return err
	}
	holder := ""
	if lease.Spec.HolderIdentity != nil {
		holder, _, _ = strings.Cut(*lease.Spec.HolderIdentity, "_")
	}
	for _, pod := range running {
		if err := pod.Ready(ctx); err != nil {
			return err
		}
		if pod.Name == holder && pod.Image("adapter") == version {
			fmt.Printf("%s, which is %s, holds the lease\n", holder, version)
			return nil
		}
	}
	return fmt.Errorf("%q holds the lease, and no adapter of %s", holder, version)
}

// end stops the pods.
func (i *installation) end() error {
	i.cancel()
	return <-i.ended
}
