// Command setplan-vectors makes the test vectors of the contract. It must be started at the root of the repository.
//
//	setplan-vectors                     writes those that are stored, and the checksums of all, as "make rewrite WHAT=vectors" does
//	setplan-vectors -out bin/vectors    writes all into a folder
//
// Those that depend on the state of a server are made by the server's tests; -out copies them.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	files "github.com/setplan/setplan/proto/vectors"
	"github.com/setplan/setplan/test/vectors"
)

func main() {
	out := flag.String("out", "", "the `folder` for all vectors; empty: the stored ones are written anew")
	flag.Parse()
	if err := run(context.Background(), *out); err != nil {
		fmt.Fprintln(os.Stderr, "setplan-vectors:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out string) error {
	made, err := vectors.Make(ctx, ".")
	if err != nil {
		return err
	}
	if out != "" {
		return writeAll(made, out)
	}
	stored, err := vectors.Stored(made)
	if err != nil {
		return err
	}
	sums, err := vectors.SumsOf(made)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(vectors.Folder, vectors.Sums), []byte(sums), 0o644); err != nil {
		return err
	}
	if err := removeOthers(stored, vectors.Folder, true); err != nil {
		return err
	}
	for _, v := range stored {
		if err := v.Write(vectors.Folder); err != nil {
			return err
		}
	}
	fmt.Printf("%d vectors, of which %d are stored\n", len(made), len(stored))
	return nil
}

// writeAll writes into a folder only what changes there: the go command does not repeat tests whose files have not.
func writeAll(made []*files.Vector, out string) error {
	stored, err := files.Read(vectors.Folder)
	if err != nil {
		return err
	}
	for _, v := range stored {
		if strings.HasPrefix(v.Name, vectors.Status) {
			made = append(made, v)
		}
	}
	if err := removeOthers(made, out, false); err != nil {
		return err
	}
	for _, v := range made {
		text, err := v.Encode()
		if err != nil {
			return err
		}
		if old, err := os.ReadFile(v.Path(out)); err == nil && bytes.Equal(old, text) {
			continue
		}
		if err := v.Write(out); err != nil {
			return err
		}
	}
	fmt.Printf("%d vectors in %s\n", len(made), out)
	return nil
}

// removeOthers removes vectors that are not made, or not stored, any more.
func removeOthers(wanted []*files.Vector, folder string, keepStatus bool) error {
	kept := map[string]bool{}
	for _, v := range wanted {
		kept[v.Path(folder)] = true
	}
	return filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		if filepath.Ext(path) != ".json" || kept[path] || keepStatus && strings.HasPrefix(filepath.ToSlash(name), vectors.Status) {
			return nil
		}
		return os.Remove(path)
	})
}
