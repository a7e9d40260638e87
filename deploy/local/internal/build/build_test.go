package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestIsPackage(t *testing.T) {
	for line, want := range map[string]bool{
		"k8s.io/api/core/v1":                 true,
		"unicode/utf8":                       true,
		"":                                   false,
		"go: downloading k8s.io/api v0.36.3": false,
		"# k8s.io/api/core/v1":               false,
		"cmd/x/main.go:3:1: undefined: y":    false,
	} {
		if got := isPackage(line); got != want {
			t.Errorf("%q: %t, want %t", line, got, want)
		}
	}
}

func TestVersionIsStamped(t *testing.T) {
	for _, want := range []string{
		"-X k8s.io/component-base/version.gitVersion=v1.36.3",
		"-X k8s.io/component-base/version.gitMajor=1",
		"-X k8s.io/component-base/version.gitMinor=36",
		"-X k8s.io/client-go/pkg/version.gitVersion=v1.36.3",
	} {
		if !strings.Contains(ldflags(), want) {
			t.Errorf("%q is missing in %q", want, ldflags())
		}
	}
}

func TestVersionIsTheModules(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "k8s.io/kubernetes " + version + "\n"; !strings.Contains(string(data), want) {
		t.Errorf("go.mod does not require %q", want)
	}
}

func TestLinkReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "etcd")
	for range 2 {
		if err := link(path); err != nil {
			t.Fatal(err)
		}
		if got, err := os.Readlink(path); err != nil || got != binary {
			t.Errorf("link to %q, %v, want %q", got, err, binary)
		}
	}
}
