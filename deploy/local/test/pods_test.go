//go:build controlplane

package test

import (
	"path/filepath"
	"testing"
	"time"
)

const ready = `jsonpath={.status.phase} {.status.conditions[?(@.type=="Ready")].status}`

// TestPods checks that tests can hold, delay and break pods.
func TestPods(t *testing.T) {
	h := newHarness(t)
	kubeconfig := h.up("pods", "--feature-gates", "MaxUnavailableStatefulSet=true")
	began := time.Now()
	h.kubectl(kubeconfig, "apply", "-f", "testdata/pods.yaml")
	is := func(pod, want string) {
		t.Helper()
		h.eventually(want, kubeconfig, "get", "pod", pod, "-o", ready)
	}
	is("plain", "Running True")
	is("failed", "Running True")
	is("never", "Running False")
	is("late", "Running False")
	patch := func(pod, status string) {
		h.kubectl(kubeconfig, "patch", "pod", pod, "--subresource=status", "--type=strategic", "-p", status)
	}
	patch("plain", `{"status":{"conditions":[{"type":"Ready","status":"False"}]}}`)
	patch("failed", `{"status":{"phase":"Failed"}}`)

	is("completes", "Succeeded False")
	is("fails", "Failed False")
	if took := time.Since(began); took < 3*time.Second {
		t.Errorf("the pod that fails late had failed after %s, want at least 3s", took)
	}
	is("late", "Running True")
	if took := time.Since(began); took < 3*time.Second {
		t.Errorf("the late pod was ready after %s, want at least 3s", took)
	}
	patch("late", `{"status":{"conditions":[{"type":"Ready","status":"False"}]}}`)
	time.Sleep(4 * time.Second)
	is("late", "Running False")
	is("never", "Running False")
	is("plain", "Running False")
	is("failed", "Failed True")
	if got := h.kubectl(kubeconfig, "get", "pod", "held", "-o", "jsonpath={.status.phase}"); got != "Pending" {
		t.Errorf("the held pod is %s", got)
	}
	h.kubectl(kubeconfig, "annotate", "pod", "held", "setplan.io/test-hold-")
	is("held", "Running True")

	began = time.Now()
	h.kubectl(kubeconfig, "delete", "--timeout=20s", "-f", "testdata/pods.yaml")
	if took := time.Since(began); took < 3*time.Second {
		t.Errorf("the pod that stops late was gone after %s, want at least 3s", took)
	}
	adapter := filepath.Join(h.state, "pods", "adapter.kubeconfig")
	if got, _ := h.try(filepath.Join(h.bin, "kubectl"), "--kubeconfig", adapter, "auth", "can-i", "list", "pods"); got != "no" {
		t.Errorf("may the adapter list pods before it is granted: %q, want no", got)
	}
}
