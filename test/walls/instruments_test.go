package walls

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInstrumentsAreNamed: test/README.md says of each what it is for. Commands are named there by their make targets.
func TestInstrumentsAreNamed(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, instruments, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	folders, err := os.ReadDir(filepath.Join(root, instruments))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if f.IsDir() && f.Name() != "cmd" && !strings.Contains(string(page), "| `"+f.Name()+"` |") {
			t.Errorf("%s/%s is not in %s/README.md: when is it to be used?", instruments, f.Name(), instruments)
		}
	}
}
