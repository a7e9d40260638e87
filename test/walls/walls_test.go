package walls

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/setplan/setplan/test/need"
)

// root is the root of the repository, seen from this package.
var root = filepath.Join("..", "..")

func TestImports(t *testing.T) {
	packages := list(t)
	for _, w := range walls {
		found := false
		for _, p := range packages {
			found = found || matchAny(w.around, p.ImportPath)
		}
		if !found {
			t.Errorf("no package is behind the wall around %v: a rename took it away", w.around)
		}
	}
	for _, b := range breaches(walls, packages) {
		t.Error(b)
	}
}

func list(t *testing.T) []listed {
	t.Helper()
	noteSources(t)
	// The pattern is by path and not by folder: it finds those of the modules that the main one requires, too.
	command := exec.Command("go", "list", "-json=ImportPath,Name,Imports,Deps,TestImports,XTestImports", module+"/...")
	command.Dir = root
	var stderr bytes.Buffer
	command.Stderr = &stderr
	output, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	var packages []listed
	for d := json.NewDecoder(bytes.NewReader(output)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// noteSources looks into every source folder, so that "go test" knows that this result depends on them and does not
// repeat an old one from its cache; it does not see what go list reads.
func noteSources(t *testing.T) {
	t.Helper()
	for _, entry := range []string{"go.mod", "go.sum", "proto", "engine", "server", "adapters", "clients", "deploy", instruments} {
		need.NoError(t, filepath.WalkDir(filepath.Join(root, entry), func(_ string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) || d != nil && d.Name() == ".git" {
				return fs.SkipAll
			}
			return err
		}))
	}
}

func TestEngineHasNoClock(t *testing.T) {
	need.NoError(t, filepath.WalkDir(filepath.Join(root, "engine"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			// A nested module is no part of the engine.
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		uses, err := clockUses(path, nil)
		for _, use := range uses {
			t.Error(use)
		}
		return err
	}))
}

func TestModuleDoesNotRequireKubernetes(t *testing.T) {
	data := need.Value(os.ReadFile(filepath.Join(root, "go.mod")))(t)
	for _, line := range strings.Split(string(data), "\n") {
		if strings.Contains(line, "k8s.io/kubernetes ") {
			t.Errorf("go.mod has %q: who requires us would get all of it", strings.TrimSpace(line))
		}
	}
}
