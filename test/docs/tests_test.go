package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/setplan/setplan/test/need"
)

// TestTestsAreThere: a page that names a test names one that there is.
func TestTestsAreThere(t *testing.T) {
	there := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	need.NoError(t, filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && slices.Contains([]string{".git", ".local", "bin", "node_modules", ".venv"}, entry.Name()) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, found := range declared.FindAllStringSubmatch(string(text), -1) {
			there[found[1]] = true
		}
		return err
	}))
	pages := need.Value(filepath.Glob(filepath.Join(folder, "*.md")))(t)
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w*)")
	names := []string{"../test/README.md", "../test/SPEED.md", "../test/TRACK-RECORD.md", "../test/invariants/README.md"}
	for _, file := range pages {
		names = append(names, filepath.Base(file))
	}
	for _, name := range names {
		for _, found := range named.FindAllStringSubmatch(page(t, name), -1) {
			if !there[found[1]] {
				t.Errorf("%s names %s, which is not there", name, found[1])
			}
		}
	}
}
