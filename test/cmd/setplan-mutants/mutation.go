package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// mutation is one mistake. Old occurs exactly once in the file, and New is written in its place.
type mutation struct {
	Name, File, Old, New string
	// Breaks says what the mistake breaks. It continues "code in which".
	Breaks string
}

// apply returns the text of the mutation's file with the mistake.
func (m *mutation) apply(folder string) (path, text string, err error) {
	path = filepath.Join(folder, m.File)
	source, err := os.ReadFile(path)
	if err != nil {
		return "", "", err
	}
	if n := strings.Count(string(source), m.Old); n != 1 || m.Old == m.New {
		return "", "", fmt.Errorf("the text to replace occurs %d times in %s, and not once", n, m.File)
	}
	return path, strings.Replace(string(source), m.Old, m.New, 1), nil
}

// hunt is what the finders share.
type hunt struct {
	root  string
	dir   string // for build results
	save  string
	limit time.Duration
}

// overlay is the file that makes the go command read the mutation instead of the file in the tree.
func (h *hunt) overlay() string { return filepath.Join(h.dir, "overlay.json") }

// mutate writes the mutation and the overlay.
func (h *hunt) mutate(folder string, m *mutation) error {
	path, text, err := m.apply(folder)
	if err != nil {
		return err
	}
	mutated := filepath.Join(h.dir, "mutated.go")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {path: mutated}})
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(mutated, []byte(text), 0o644), os.WriteFile(h.overlay(), list, 0o644))
}
