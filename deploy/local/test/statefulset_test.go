//go:build controlplane

package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	readyReplicas = "jsonpath={.status.readyReplicas}"
	claimPhases   = "jsonpath={.items[*].status.phase}"
	podNames      = "jsonpath={.items[*].metadata.name}"
)

// TestLifecycle checks what the end-to-end tests rely on: instances side by side, the built-in StatefulSet controller on and off,
// restarts, and an end that leaves nothing.
func TestLifecycle(t *testing.T) {
	h := newHarness(t)
	one, two := h.up("one", "--audit"), h.up("two", "--statefulset-controller", "off", "--nodes", "3")
	if out, err := h.try(h.manager, "up", "--name", "one", "--bin", h.bin, "--dir", h.state); err == nil {
		t.Fatalf("up a second time succeeded: %s", out)
	}
	h.eventually("node-0 node-1 node-2", two, "get", "nodes", "-o", podNames)

	for _, kubeconfig := range []string{one, two} {
		h.kubectl(kubeconfig, "apply", "-f", "testdata/nginx.yaml")
	}
	h.eventually("3", one, "get", "statefulset", "web", "-o", readyReplicas)
	h.eventually("Bound Bound Bound", one, "get", "pvc", "-o", claimPhases)

	h.local("statefulset-controller", "off", "--name", "one")
	h.kubectl(one, "scale", "statefulset", "web", "--replicas", "5")
	time.Sleep(5 * time.Second)
	if got := h.kubectl(one, "get", "pods", "-o", podNames); got != "web-0 web-1 web-2" {
		t.Fatalf("with the controller off there are pods: %q", got)
	}
	if got := h.kubectl(two, "get", "pods", "-o", podNames); got != "" {
		t.Fatalf("without the controller there are pods: %q", got)
	}

	h.local("statefulset-controller", "on", "--name", "one")
	h.eventually("5", one, "get", "statefulset", "web", "-o", readyReplicas)

	// Alone the controller does the same, with its own user and process.
	h.local("statefulset-controller", "alone", "--name", "one")
	h.kubectl(one, "scale", "statefulset", "web", "--replicas", "6")
	h.eventually("6", one, "get", "statefulset", "web", "-o", readyReplicas)
	h.local("restart", "statefulset-controller", "--name", "one")
	h.kubectl(one, "scale", "statefulset", "web", "--replicas", "5")
	h.eventually("5", one, "get", "statefulset", "web", "-o", readyReplicas)
	h.local("statefulset-controller", "on", "--name", "one")

	for _, component := range []string{"apiserver", "etcd", "scheduler", "kwok", "controller-manager"} {
		h.local("restart", component, "--name", "one")
	}
	uid := h.kubectl(one, "get", "pod", "web-2", "-o", "jsonpath={.metadata.uid}")
	h.kubectl(one, "delete", "pod", "web-2")
	h.eventually("5", one, "get", "statefulset", "web", "-o", "jsonpath={.status.availableReplicas}")
	if again := h.kubectl(one, "get", "pod", "web-2", "-o", "jsonpath={.metadata.uid}"); again == uid {
		t.Error("the deleted pod was not replaced")
	}

	h.kubectl(one, "delete", "statefulset", "web")
	h.eventually("", one, "get", "pods", "-o", podNames)
	h.kubectl(one, "delete", "pvc", "--all")
	h.eventually("", one, "get", "pv", "-o", podNames)

	audit, err := os.ReadFile(filepath.Join(h.state, "one", "audit.log"))
	if err != nil || !strings.Contains(string(audit), `"username":"system:kube-controller-manager"`) {
		t.Errorf("the audit log has nothing from the controller manager: %v", err)
	}
	if !strings.Contains(string(audit), `"username":"system:statefulset-controller"`) {
		t.Error("the audit log has nothing from the StatefulSet controller")
	}

	h.local("down", "--name", "one")
	h.kubectl(two, "get", "--raw", "/readyz")
	h.local("down", "--all")
	if left := h.processes(); len(left) > 0 {
		t.Errorf("processes left: %v", left)
	}
	if left, _ := filepath.Glob(filepath.Join(h.state, "[a-z]*")); len(left) > 0 {
		t.Errorf("left in the state folder: %v", left)
	}
}
