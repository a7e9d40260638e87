package walls

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// released are the modules that other people's programs require, by the folder that each lies in.
var released = map[string]string{
	".":             module,
	"clients/go":    module + "/clients/go",
	"proto/setplan": module + "/proto/setplan",
}

// version of a release. No other can be required before it is published.
var version = regexp.MustCompile(`^v\d+\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$`)

// TestModulesAreOneRelease: they require each other at the version that they all get with the next release. In this
// repository folders stand for it.
func TestModulesAreOneRelease(t *testing.T) {
	versions := map[string]string{}
	for folder, path := range released {
		file := readModule(t, folder)
		if file.Module.Path != path {
			t.Errorf("%s/go.mod is of %s, want %s", folder, file.Module.Path, path)
		}
		for _, r := range file.Require {
			if !strings.HasPrefix(r.Path, module) {
				continue
			}
			if !version.MatchString(r.Version) {
				t.Errorf("%s/go.mod requires %s %s, which nobody can download: it has to name a release", folder, r.Path, r.Version)
			}
			versions[r.Version] = folder
			if to := file.replaced(r.Path); released[filepath.Join(folder, to)] != r.Path {
				t.Errorf("%s/go.mod requires %s, and replaces it with %q: that is not its folder", folder, r.Path, to)
			}
		}
	}
	if len(versions) != 1 {
		t.Errorf("modules of one commit require each other at %v: one version is released from a commit", versions)
	}
}

// moduleFile is what "go mod edit -json" says of a go.mod.
type moduleFile struct {
	Module  struct{ Path string }
	Require []struct{ Path, Version string }
	Replace []struct{ Old, New struct{ Path string } }
}

func (f *moduleFile) replaced(path string) string {
	for _, r := range f.Replace {
		if r.Old.Path == path {
			return r.New.Path
		}
	}
	return ""
}

func readModule(t *testing.T, folder string) *moduleFile {
	t.Helper()
	command := exec.Command("go", "mod", "edit", "-json")
	command.Dir = filepath.Join(root, folder)
	output, err := command.Output()
	file := &moduleFile{}
	if err == nil {
		err = json.Unmarshal(output, file)
	}
	if err != nil {
		t.Fatalf("%s/go.mod: %v", folder, err)
	}
	return file
}
