// Program era writes fixtures as one version of Kubernetes would: the version is that of the k8s.io/api and
// k8s.io/apimachinery it is compiled with. It must therefore compile with all of them, and names no field that the
// oldest lacks; newer fields stand in the sets, which are JSON.
package main

import (
	"embed"
	"fmt"
	"os"
	"path"
	"path/filepath"
)

//go:embed sets
var sets embed.FS

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: era FOLDER vMAJOR.MINOR.PATCH")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "era:", err)
		os.Exit(1)
	}
}

// run writes this version's fixtures, and adds to those of earlier ones how this version serves their sets.
func run(folder, version string) error {
	if err := serveEarlier(folder, version); err != nil {
		return err
	}
	files, err := sets.ReadDir("sets")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(folder, version), 0o755); err != nil {
		return err
	}
	for _, file := range files {
		manifest, err := sets.ReadFile(path.Join("sets", file.Name()))
		if err != nil {
			return err
		}
		f, err := newFixture(version, manifest)
		if err != nil {
			return fmt.Errorf("%s: %w", file.Name(), err)
		}
		if err := f.write(filepath.Join(folder, version, file.Name())); err != nil {
			return err
		}
	}
	return nil
}

// serveEarlier reads the sets that earlier versions stored and writes them as this one does.
func serveEarlier(folder, version string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.json"))
	if err != nil {
		return err
	}
	for _, file := range files {
		f, err := readFixture(file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if f.Version == version {
			continue
		}
		set, err := decodeSet(f.Set)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		served, err := encode(set)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		f.servedBy(version, served)
		if err := f.write(file); err != nil {
			return err
		}
	}
	return nil
}
