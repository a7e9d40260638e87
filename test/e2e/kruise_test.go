//go:build e2e

package e2e

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"
)

// The release of Kruise whose definition is used, and the hash of its module, as go.sum has it.
const (
	kruiseModule = "github.com/openkruise/kruise@v1.8.0"
	kruiseSum    = "h1:cU5XG9tur17j/CuY+iCTlxOtJ0GNTtJjMLurhh+25YQ="
)

// kruiseDefinition is the file with Kruise's own definition of its StatefulSet. It comes in their Go module, of which nothing is built.
func kruiseDefinition(t *testing.T) string {
	t.Helper()
	download := exec.Command("go", "mod", "download", "-json", kruiseModule)
	download.Dir = t.TempDir() // no go.mod of ours is asked or changed
	out, err := download.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var module struct{ Dir, Sum string }
	if err := json.Unmarshal(out, &module); err != nil {
		t.Fatal(err)
	}
	if module.Sum != kruiseSum {
		t.Fatalf("%s has the hash %s, want %s", kruiseModule, module.Sum, kruiseSum)
	}
	return filepath.Join(module.Dir, "config/crd/bases/apps.kruise.io_statefulsets.yaml")
}
