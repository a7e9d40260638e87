package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const extension = ".json"

// Read reads all vectors of a folder, in the order of their names.
func Read(folder string) ([]*Vector, error) {
	var all []*Vector
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != extension {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		v := &Vector{Name: strings.TrimSuffix(filepath.ToSlash(inside), extension)}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(v); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, v)
		return nil
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s holds no vectors", folder)
	}
	return all, err
}

// Path is the vector's file.
func (v *Vector) Path(folder string) string {
	return filepath.Join(folder, filepath.FromSlash(v.Name)+extension)
}

// Write writes the vector's file.
func (v *Vector) Write(folder string) error {
	text, err := v.Encode()
	if err != nil {
		return err
	}
	path := v.Path(folder)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}
