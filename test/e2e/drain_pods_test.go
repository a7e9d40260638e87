//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
)

// draining waits until the drain pod of an ordinal runs, and returns it.
func (s *scene) draining(name string) *corev1.Pod {
	s.Helper()
	eventually(s, 60*time.Second, name+" is drained", func() error { return s.isDraining(name) })
	return s.pod(name)
}

// isDraining returns nil while the drain pod of an ordinal runs.
func (s *scene) isDraining(name string) error {
	pod, err := s.client.CoreV1().Pods(s.namespace).Get(context.Background(), name, metav1.GetOptions{})
	if err == nil && (pod.Annotations[adapters.AnnotationDrainSet] == "" || pod.Status.Phase != corev1.PodRunning) {
		err = fmt.Errorf("it is %s, or no drain pod", pod.Status.Phase)
	}
	return err
}

// drains returns nil while this drain pod exists.
func (s *scene) drains(pod *corev1.Pod) func() error {
	return func() error {
		if now := s.podUIDs()[pod.Name]; now != pod.UID {
			return fmt.Errorf("it is %q, and was %s", now, pod.UID)
		}
		return nil
	}
}

// succeed ends a drain pod with success.
func (s *scene) succeed(name string) {
	s.Helper()
	s.podStatus(name, `{"status":{"phase":"Succeeded"}}`)
}

// drainedOneByOne lets drain pods succeed, each once it runs.
func (s *scene) drainedOneByOne(names ...string) {
	s.Helper()
	for _, name := range names {
		s.draining(name)
		s.succeed(name)
	}
}

// replicaOf waits until a pod is a replica again.
func (s *scene) replicaOf(name string) {
	s.Helper()
	eventually(s, 60*time.Second, name+" is a replica", func() error { return s.isReplica(name) })
}

// isReplica returns nil once a pod has a controller.
func (s *scene) isReplica(name string) error {
	pod, err := s.client.CoreV1().Pods(s.namespace).Get(context.Background(), name, metav1.GetOptions{})
	if err == nil && metav1.GetControllerOf(pod) == nil {
		err = fmt.Errorf("it has no controller")
	}
	return err
}
