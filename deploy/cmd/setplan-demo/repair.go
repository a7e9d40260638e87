package main

import (
	"context"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters/narrate"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

const (
	goodImage   = "registry.k8s.io/nginx-slim:0.9"
	badImage    = "registry.example/never-ready:1" // simulated nodes never make its pods ready
	stuckFor    = 20 * time.Second
	setTo       = "nginx="
	statefulset = "statefulset/web"
)

// playRepair is the story of a bad template and its correction, first under the built-in controller and then, with the set
// as that one has left it, under ours.
func (s *stage) playRepair(ctx context.Context) error {
	fmt.Println("Starting a control plane (etcd, kube-apiserver, controller manager with its StatefulSet controller, scheduler, simulated")
	fmt.Println("nodes) and setplan-server. Of setplan's adapter there is only one that observes; the built-in controller acts.")
	if err := s.start(ctx, "on"); err != nil {
		return err
	}
	narrator := narrate.New(os.Stdout, time.Now)
	if err := s.observed(ctx, narrator, setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36, builtInIsStuck); err != nil {
		return err
	}
	fmt.Println("\nNow the built-in controller is switched off, and setplan-adapter takes the set over as it is.")
	if _, err := s.program(ctx, "setplan-local", "statefulset-controller", "off", "--name", instance); err != nil {
		return err
	}
	if err := s.act(); err != nil {
		return err
	}
	if err := s.observed(ctx, narrator, setplanv1.Behavior_BEHAVIOR_SETPLAN, oursIsNot); err != nil {
		return err
	}
	fmt.Printf("\nSummary of what setplan-adapter did\n%s", narrator.Summary())
	if n := narrator.Failed(); n > 0 {
		return fmt.Errorf("%d actions failed: see the lines that begin with FAIL", n)
	}
	return nil
}

func builtInIsStuck(ctx context.Context, a *audience) error {
	fmt.Println()
	if err := a.watch(ctx, act{"three replicas", []string{"apply", "-f"}, all}); err != nil {
		return err
	}
	fmt.Println()
	if err := a.push(ctx, "a bad image: its pods never get ready", badImage, a.stuck); err != nil {
		return err
	}
	fmt.Println()
	if err := a.push(ctx, "the correction", goodImage, a.stuck); err != nil {
		return err
	}
	a.narrator.Say("waits for %s", stuckFor)
	time.Sleep(stuckFor)
	if reason, err := a.stuck(ctx); reason != "" || err != nil {
		return fmt.Errorf("the built-in controller was expected to be stuck: %s %w", reason, err)
	}
	a.narrator.Saw("web-2 still has the bad image. Kubernetes waits for it to become ready, until somebody deletes it.")
	return nil
}

func oursIsNot(ctx context.Context, a *audience) error {
	if err := a.until(ctx, a.updated); err != nil {
		return err
	}
	fmt.Println()
	if err := a.push(ctx, "once more: a bad image", badImage, a.stuck); err != nil {
		return err
	}
	fmt.Println()
	return a.push(ctx, "and the correction", goodImage, a.updated)
}

// push sets the image and waits for what comes of it.
func (a *audience) push(ctx context.Context, about, image string, missing func(context.Context) (string, error)) error {
	if err := a.user(ctx, about, []string{"set", "image", statefulset, setTo + image}); err != nil {
		return err
	}
	return a.until(ctx, missing)
}

// updated says what is missing until the set is whole at its newest template.
func (a *audience) updated(ctx context.Context) (string, error) {
	return a.unfinished(ctx, act{updated: all})
}

// stuck says what is missing until web-2 runs the bad image, and whoever acts has seen the newest template.
func (a *audience) stuck(ctx context.Context) (string, error) {
	set, err := a.client.AppsV1().StatefulSets("default").Get(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return "", err
	}
	if set.Status.ObservedGeneration != set.Generation {
		return "the template is not observed", nil
	}
	pods, err := a.client.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
	if err != nil {
		return "", err
	}
	for _, pod := range pods.Items {
		if pod.Name == "web-2" && pod.DeletionTimestamp == nil && pod.Spec.Containers[0].Image == badImage &&
			pod.Status.Phase == corev1.PodRunning {
			return "", nil
		}
	}
	return "web-2 does not run the bad image", nil
}
