//go:build e2e

package e2e

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// hosts say what runs in the pods of a scene, as kubelets do and our simulated nodes do not: which container with which image, and which generation
// of the spec they have seen. Where an image has changed they start the container anew, and where resources have they give it these.
type hosts struct {
	*scene

	mu      sync.Mutex
	ignored map[string]bool   // pods at which they do not look
	ran     map[string]string // what a container was started with, by its id
	full    map[string]string // why pods do not get the resources that they ask for
}

// newHosts look at the pods until the test ends.
func newHosts(s *scene) *hosts {
	h := &hosts{scene: s, ignored: map[string]bool{}, ran: map[string]string{}, full: map[string]string{}}
	s.again(50*time.Millisecond, h.look)
	return h
}

// again does something until the test ends: after a pause where something has changed, and each second.
func (s *scene) again(pause time.Duration, do func(context.Context)) {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	s.Cleanup(func() { stop(); <-done })
	go func() {
		defer close(done)
		for seen, at := -1, time.Now(); ctx.Err() == nil; time.Sleep(pause) {
			if changes := len(s.all()); changes != seen || time.Since(at) >= time.Second {
				seen, at = changes, time.Now()
				do(ctx)
			}
		}
	}()
}

// ignore lets the hosts look away from a pod, or at it again.
func (h *hosts) ignore(pod string, ignored bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ignored[pod] = ignored
}

// look lets each pod take a step.
func (h *hosts) look(ctx context.Context) {
	pods := h.client.CoreV1().Pods(h.namespace)
	list, err := pods.List(ctx, metav1.ListOptions{})
	for i := 0; err == nil && i < len(list.Items); i++ {
		if h.step(&list.Items[i]) {
			_, _ = pods.UpdateStatus(ctx, &list.Items[i], metav1.UpdateOptions{}) // again in a moment
		}
	}
}

// step does one thing with a pod that runs: it says what runs in it, that it has seen its spec, starts containers anew, or says that it is ready.
func (h *hosts) step(pod *corev1.Pod) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	containers := containersOf(pod)
	due := slices.ContainsFunc(containers, h.due)
	switch {
	case pod.DeletionTimestamp != nil || pod.Status.Phase != corev1.PodRunning || h.ignored[pod.Name] || len(containers) == 0:
		return false
	case containers[0].status.ContainerID == "":
		h.startDue(containers)
		pod.Status.ObservedGeneration = pod.Generation
	case pod.Status.ObservedGeneration != pod.Generation:
		pod.Status.ObservedGeneration = pod.Generation
	case due:
		h.startDue(containers)
		setReadiness(pod, corev1.ConditionFalse)
	case slices.ContainsFunc(containers, container.broken):
		return false
	case h.resizes(pod, containers):
	default:
		return setReadiness(pod, corev1.ConditionTrue)
	}
	return true
}

// container is one that runs for as long as its pod.
type container struct {
	spec   *corev1.Container
	status *corev1.ContainerStatus
}

// broken reports whether a container runs and is never ready.
func (c container) broken() bool { return c.spec.Image == broken }

// containersOf are the containers of a pod, and its sidecars.
func containersOf(pod *corev1.Pod) (containers []container) {
	add := func(specs []corev1.Container, statuses []corev1.ContainerStatus) {
		for i := range specs {
			at := slices.IndexFunc(statuses, func(s corev1.ContainerStatus) bool { return s.Name == specs[i].Name })
			if at >= 0 {
				containers = append(containers, container{&specs[i], &statuses[at]})
			}
		}
	}
	add(pod.Spec.Containers, pod.Status.ContainerStatuses)
	add(pod.Spec.InitContainers, pod.Status.InitContainerStatuses) // all of them are sidecars here
	return containers
}

// due reports whether a container is to start again.
func (h *hosts) due(c container) bool { return h.ran[c.status.ContainerID] != c.spec.Image }

func (h *hosts) startDue(containers []container) {
	for _, c := range containers {
		if h.due(c) {
			h.start(c)
		}
	}
}

func (h *hosts) start(c container) {
	if c.status.ContainerID != "" {
		c.status.RestartCount++
	}
	c.status.ImageID = fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(c.spec.Image)))
	c.status.Image, c.status.ContainerID = c.spec.Image, fmt.Sprintf("test://%d", len(h.ran)+1)
	c.status.State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}}
	h.ran[c.status.ContainerID], c.status.Resources = c.spec.Image, c.spec.Resources.DeepCopy()
}

// setReadiness writes whether a pod is ready, and reports whether that is news.
func setReadiness(pod *corev1.Pod, status corev1.ConditionStatus) (news bool) {
	for i := range pod.Status.Conditions {
		c := &pod.Status.Conditions[i]
		if (c.Type == corev1.PodReady || c.Type == corev1.ContainersReady) && c.Status != status {
			c.Status, c.LastTransitionTime, news = status, metav1.Now(), true
		}
	}
	return news
}

// untrue lists the pods whose labels say that they are at a revision when a container of theirs did not run its image, or did not have its resources.
func (h *hosts) untrue() (untrue []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.changesOfPods(func(before, after *corev1.Pod) {
		if revisionOf(before) == revisionOf(after) {
			return
		}
		for _, c := range containersOf(after) {
			if h.ran[c.status.ContainerID] != c.spec.Image {
				untrue = append(untrue, fmt.Sprintf("%s is at %s, and container %s does not run %s", after.Name, revisionOf(after), c.spec.Name, c.spec.Image))
			}
			if c.lacks() {
				untrue = append(untrue, fmt.Sprintf("%s is at %s, and container %s does not have its resources", after.Name, revisionOf(after), c.spec.Name))
			}
		}
	})
	return untrue
}
