// Command setplan-vectors writes the test vectors of the contract, except those that depend on the state of a server. It must
// be started at the root of the repository, as "make rewrite WHAT=vectors" does.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	files "github.com/setplan/setplan/proto/vectors"
	"github.com/setplan/setplan/test/vectors"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "setplan-vectors:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	made, err := vectors.Make(ctx, ".")
	if err != nil {
		return err
	}
	if err := removeOld(made); err != nil {
		return err
	}
	size := 0
	for _, v := range made {
		text, err := v.Encode()
		if err != nil {
			return err
		}
		if size += len(text); len(text) > vectors.MaxFile {
			return fmt.Errorf("%s has %d bytes; the limit is %d", v.Name, len(text), vectors.MaxFile)
		}
		if err := v.Write(vectors.Folder); err != nil {
			return err
		}
	}
	fmt.Printf("%d vectors, %d kB\n", len(made), size/1000)
	return nil
}

// removeOld removes vectors that are no longer made.
func removeOld(made []*files.Vector) error {
	kept := map[string]bool{}
	for _, v := range made {
		kept[v.Path(vectors.Folder)] = true
	}
	paths, err := filepath.Glob(filepath.Join(vectors.Folder, "*", "*.json"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		area, _ := filepath.Rel(vectors.Folder, path)
		if !kept[path] && !strings.HasPrefix(filepath.ToSlash(area), vectors.Status) {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	return nil
}
