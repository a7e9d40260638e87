package main

import (
	"strings"
	"testing"
	"time"
)

// TestWhyLeases: a lease that nobody renews is the first reason, if the caller may read leases. Otherwise why says nothing about
// leases, and reports no error.
func TestWhyLeases(t *testing.T) {
	t.Parallel()
	api := newAPIServer(t)
	ask := func() string {
		t.Helper()
		text, err := piped(t, "why", "web", "-n", "default", "--server", api.url()).end()
		if err != nil || !strings.Contains(text, "POD_TERMINATING") {
			t.Fatalf("%v:\n%s", err, text)
		}
		return text
	}
	if text := ask(); strings.Contains(text, "lease") {
		t.Errorf("there is no lease:\n%s", text)
	}
	lease := func(renewed time.Time) map[string]any {
		return map[string]any{"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": map[string]any{"name": "setplan-adapter", "namespace": "kube-system"},
			"spec": map[string]any{"holderIdentity": "host-1", "leaseDurationSeconds": 15, "renewTime": renewed.UTC().Format("2006-01-02T15:04:05.000000Z07:00")}}
	}
	api.put("leases", lease(time.Now().Add(-time.Hour)))
	if text := ask(); !strings.Contains(text, "\n1. StatefulSet/web NOBODY_ACTS: ") || !strings.Contains(text, "lease kube-system/setplan-adapter: host-1 renewed it last at ") {
		t.Errorf("with a stale lease:\n%s", text)
	}
	api.refuse("leases")
	if text := ask(); strings.Contains(text, "lease") {
		t.Errorf("without the right to read leases:\n%s", text)
	}
	api.refuse("")
	api.take("leases", "setplan-adapter")
	api.put("leases", lease(time.Now()))
	if text := ask(); strings.Contains(text, "NOBODY_ACTS") {
		t.Errorf("with a lease that is renewed:\n%s", text)
	}
}
