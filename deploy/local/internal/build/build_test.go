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
		"go: downloading k8s.io/api v0.37.2": false,
		"# k8s.io/api/core/v1":               false,
		"cmd/x/main.go:3:1: undefined: y":    false,
	} {
		if got := isPackage(line); got != want {
			t.Errorf("%q: %t, want %t", line, got, want)
		}
	}
}

func TestVersionIsStamped(t *testing.T) {
	flags := Release{Version: "1.36.3"}.ldflags()
	for _, want := range []string{
		"-X k8s.io/component-base/version.gitVersion=v1.36.3",
		"-X k8s.io/component-base/version.gitMajor=1",
		"-X k8s.io/component-base/version.gitMinor=36",
		"-X k8s.io/client-go/pkg/version.gitVersion=v1.36.3",
	} {
		if !strings.Contains(flags, want) {
			t.Errorf("%q is missing in %q", want, flags)
		}
	}
}

// TestReleases: each module file is found by the version that it requires, and by no other.
func TestReleases(t *testing.T) {
	module := filepath.Join("..", "..")
	files, err := filepath.Glob(filepath.Join(module, "kubernetes-*.mod"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no module files of earlier minor versions: %v", err)
	}
	for _, file := range append(files, filepath.Join(module, "go.mod")) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, version, _ := strings.Cut(string(data), "\tk8s.io/kubernetes v")
		version, _, _ = strings.Cut(version, "\n")
		want := Release{Version: version, file: filepath.Base(file)}
		if got, err := Find(t.Context(), module, version); err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", version, got, err, want)
		}
		if got, err := Find(t.Context(), module, version+"0"); err == nil {
			t.Errorf("%s0 is %+v", version, got)
		}
	}
	if got, err := Find(t.Context(), module, ""); err != nil || got.file != "go.mod" {
		t.Errorf("without a version: %+v, %v", got, err)
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
