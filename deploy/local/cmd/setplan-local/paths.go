package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// moduleInRepo is where this module is in its repository.
var moduleInRepo = filepath.Join("deploy", "local")

// repo finds the repository from the working folder upwards, or else from the
// program's own place, so that commands work from any folder.
func repo() (string, error) {
	var starts []string
	if wd, err := os.Getwd(); err == nil {
		starts = append(starts, wd)
	}
	if exe, err := os.Executable(); err == nil {
		starts = append(starts, filepath.Dir(exe))
	}
	for _, start := range starts {
		for dir := start; ; dir = filepath.Dir(dir) {
			if _, err := os.Stat(filepath.Join(dir, moduleInRepo, "go.mod")); err == nil {
				return dir, nil
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return "", errors.New("no repository with deploy/local found from here upwards: say --dir and --bin")
}

func defaultStateDir() (string, error) {
	root, err := repo()
	if err != nil {
		return "", fmt.Errorf("locate state folder: %w", err)
	}
	return filepath.Join(root, ".local"), nil
}

// binFolder makes the --bin flag's value absolute: an instance remembers it.
func binFolder(flagged string) (string, error) {
	if flagged != "" {
		return filepath.Abs(flagged)
	}
	root, err := repo()
	if err != nil {
		return "", fmt.Errorf("locate bin folder: %w", err)
	}
	return filepath.Join(root, "bin"), nil
}
