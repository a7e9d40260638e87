package kube

import (
	"os/exec"
	"strings"
	"testing"
)

// TestTypesMinor: the types have the version in go.mod.
func TestTypesMinor(t *testing.T) {
	version, err := exec.Command("go", "list", "-m", "-f", "{{.Version}}", "k8s.io/api").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(version), "v0."+typesMinor+".") {
		t.Errorf("types of 1.%s, k8s.io/api %s", typesMinor, version)
	}
}
