package walls

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/setplan/setplan/test/need"
)

// TestInstrumentsAreNamed: test/README.md says of each what it is for. Commands are named there by their make targets.
func TestInstrumentsAreNamed(t *testing.T) {
	page := need.Value(os.ReadFile(filepath.Join(root, instruments, "README.md")))(t)
	folders := need.Value(os.ReadDir(filepath.Join(root, instruments)))(t)
	for _, f := range folders {
		if f.IsDir() && f.Name() != "cmd" && !strings.Contains(string(page), "| `"+f.Name()+"` |") {
			t.Errorf("%s/%s is not in %s/README.md: when is it to be used?", instruments, f.Name(), instruments)
		}
	}
}
