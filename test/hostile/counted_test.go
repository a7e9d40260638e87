package hostile

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/setplan/setplan/test/hostile/turns"
	"github.com/setplan/setplan/test/need"
)

// turnsCounted is turns_test.go in a program that counts.
const turnsCounted = `package hostile

import "github.com/setplan/setplan/engine/jsontree"

const counting = true

func turnsSoFar() int { return jsontree.Turns }
`

// counted runs a test in a program that counts turns, and reports whether this one is that program.
func counted(t *testing.T, arguments ...string) bool {
	t.Helper()
	if counting {
		return true
	}
	root := need.Value(filepath.Abs("../.."))(t)
	overlay := need.Value(turns.Overlay(root, t.TempDir(), map[string]string{"test/hostile/turns_test.go": turnsCounted}))(t)
	cmd := exec.Command("go", append([]string{"test", "-overlay", overlay, "-vet=off", "-count=1", "-timeout=2h", "-v", "-run", "^" + t.Name() + "$", ".", "-args"},
		arguments...)...)
	cmd.Env = append(os.Environ(), "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	} else if testing.Verbose() || strings.Contains(string(out), "no tests to run") {
		t.Logf("%s", out)
	}
	return false
}
