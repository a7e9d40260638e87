package oracle

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/setplan/setplan/test/oracle/world"
)

// Save writes the world of a divergence into a folder, for TestSavedWorlds to replay. The file's name is the class and the
// index of the original world. note says what it caught and becomes the first line.
func Save(dir string, found Found, note string) (path string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	name := fileName(found.Class)
	if found.Life {
		name += "-life"
	}
	path = filepath.Join(dir, fmt.Sprintf("%s-%d.yaml", name, found.Index))
	return path, os.WriteFile(path, found.World.Format(note+"\n"+found.Class), 0o644)
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

func fileName(class string) string {
	return strings.Trim(notInNames.ReplaceAllString(strings.ToLower(class), "-"), "-")
}

// Load reads what Save wrote.
func Load(path string) (*world.World, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	w, err := world.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return w, nil
}
