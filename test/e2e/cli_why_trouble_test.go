//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestWhyInTroubledCluster covers causes outside a set's namespace, on a control plane that the test may break.
func TestWhyInTroubledCluster(t *testing.T) {
	t.Parallel()
	c := ownCluster(t, "trouble", "off")
	t.Run("NobodyActs", func(t *testing.T) { whyNobodyActs(newScene(t, c)) })
	t.Run("ForeignWriter", func(t *testing.T) { whyForeignWriter(newScene(t, c)) })
	t.Run("LostNode", func(t *testing.T) { whyLostNode(newScene(t, c)) })
}

// whyNobodyActs: the adapter is killed, and then a user changes the image.
func whyNobodyActs(s *scene) {
	a := s.ownAdapter("adapter", s.adapterConfig("direct", ""), nil, "--own", underTest)
	a.becomes("setplan_adapter_leader", 1)
	s.create(webSet("web", 3))
	s.settled("web")
	a.kill()
	s.image("web", image2)
	s.firstCause("web", "NOBODY_ACTS", "StatefulSet/web", "its spec is at generation 2, but its status is at generation 1",
		"setplan-adapter wrote its status last", "lease kube-system/setplan-adapter."+s.namespace+": ")
	if text := s.mustSetplan("why", "web"); strings.Contains(text, "unavailable") {
		s.Errorf("all pods are available, and yet:\n%s", text)
	}
	s.ownAdapter("second", s.adapterConfig("direct", ""), nil, "--own", underTest)
	s.unblocked("web")
}

func whyForeignWriter(s *scene) {
	a := s.ownAdapter("adapter", s.adapterConfig("direct", ""), nil, unelected...)
	s.create(webSet("web", 1))
	s.settled("web")
	// The adapter is stopped meanwhile, so that the built-in controller sees the change first.
	s.signalled(a, syscall.SIGSTOP)
	s.onFailure(func() { s.builtIn(s, "off") })
	s.builtIn(s, "on")
	s.scale("web", 2)
	s.settled("web")
	s.signalled(a, syscall.SIGCONT)
	a.becomes(`setplan_adapter_sets{state="foreign writer"}`, 1)
	s.builtIn(s, "off")
	s.scale("web", 3)
	r := s.firstCause("web", "ADAPTER_PAUSED", "StatefulSet/web", "another controller writes", "kube-controller-manager")
	s.stays(2*time.Second, "the hold", func() error { return s.absent("web-2") })
	s.do(r.Commands[0])
	s.unblocked("web")
	a.stop()
}

// onFailure restores the control plane for the next test if this one fails.
func (s *scene) onFailure(restore func()) {
	s.Cleanup(func() {
		if s.Failed() {
			restore()
		}
	})
}

func (s *scene) signalled(a *adapter, signal syscall.Signal) {
	s.Helper()
	noError(s, a.cmd.Process.Signal(signal))
}

// whyLostNode: a machine is off. kwok, which plays the kubelets, is stopped, and the node gets the status that the node
// controller gives one without a heartbeat. The pods' tolerations shorten the minutes before their eviction.
func whyLostNode(s *scene) {
	s.ownAdapter("adapter", s.adapterConfig("direct", ""), nil, unelected...)
	s.create(webSet("web", 2, func(set *appsv1.StatefulSet) {
		set.Spec.Template.Spec.Tolerations = []corev1.Toleration{{Key: corev1.TaintNodeUnreachable, Operator: corev1.TolerationOpExists,
			Effect: corev1.TaintEffectNoExecute, TolerationSeconds: new(int64(1))}}
	}))
	s.settled("web")
	s.onFailure(func() { s.component("start", "kwok") })
	s.component("stop", "kwok")
	pod := s.pod("web-0")
	must(s.client.CoreV1().Nodes().Patch(context.Background(), pod.Spec.NodeName, types.StrategicMergePatchType,
		fmt.Appendf(nil, `{"status":{"conditions":[{"type":"Ready","status":"Unknown","reason":"NodeStatusUnknown",
		"message":"Kubelet stopped posting node status.","lastTransitionTime":%q}]}}`, time.Now().UTC().Format(time.RFC3339)),
		metav1.PatchOptions{}, "status"))(s)
	eventually(s, time.Minute, "web-0 is evicted", func() error { return s.terminating("web-0") })
	r := s.firstCause("web", "POD_TERMINATING", "Pod/web-0", "Its node "+pod.Spec.NodeName+" is not ready", "Kubelet stopped posting node status")
	s.stays(2*time.Second, "web-0", func() error { return s.terminating("web-0") })
	s.do(r.Commands[0])
	eventually(s, 90*time.Second, "web-0 is another pod", func() error {
		if now, err := s.client.CoreV1().Pods(s.namespace).Get(context.Background(), "web-0", metav1.GetOptions{}); err != nil || now.UID == pod.UID {
			return fmt.Errorf("it is the old one, or none: %v", err)
		}
		return nil
	})
	s.component("start", "kwok")
	s.unblocked("web")
	if now := s.pod("web-0"); now.Spec.NodeName == pod.Spec.NodeName {
		s.Errorf("web-0 is on %s again", now.Spec.NodeName)
	}
}

// component stops or starts a part of the control plane.
func (s *scene) component(command, name string) {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	must(s.local(ctx, command, name))(s)
}
