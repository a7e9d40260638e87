// Package turns makes a program count what it does: the turns of its loops and the calls of its functions. The count is put into every loop and
// function by a rewrite of the sources, so that nothing is left out. It is deterministic, and costs no more than it counts.
package turns

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// counted are the packages that count, as folders from the root: all that a plan goes through. The first one holds the counter; all others import it.
func counted(root string) ([]string, error) {
	folders := []string{"engine/jsontree", "engine", "server/codec", "server/objects", "proto/documents", "proto/rawjson"}
	files, err := filepath.Glob(filepath.Join(root, "engine", "*", "*.go"))
	for _, file := range files {
		folder := "engine/" + filepath.Base(filepath.Dir(file))
		if folder != "engine/forecast" && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	return folders, err
}

// counter is what the first package gets, and the others call.
const (
	counter = "package jsontree\n\nvar Turns int\n\nfunc countTurn() { Turns++ }\n"
	caller  = "package %s\n\nimport \"github.com/setplan/setplan/engine/jsontree\"\n\nfunc countTurn() { jsontree.Turns++ }\n"
)

// Overlay writes into dir what makes the go command build the program that counts: give the file that it returns to -overlay.
// extra are more files to replace, by their path from the root.
func Overlay(root, dir string, extra map[string]string) (string, error) {
	replace := map[string]string{}
	put := func(path, text string) error {
		copied := filepath.Join(dir, fmt.Sprintf("%03d.go", len(replace)))
		replace[filepath.Join(root, path)] = copied
		return os.WriteFile(copied, []byte(text), 0o644)
	}
	folders, err := counted(root)
	if err != nil {
		return "", err
	}
	for i, folder := range folders {
		text := counter
		if i > 0 {
			text = fmt.Sprintf(caller, filepath.Base(folder))
		}
		if err := put(filepath.Join(folder, "turns_counted.go"), text); err != nil {
			return "", err
		}
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := counting(file)
			if err != nil {
				return "", err
			}
			if err := put(filepath.Join(folder, filepath.Base(file)), text); err != nil {
				return "", err
			}
		}
	}
	for path, text := range extra {
		if err := put(path, text); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, list, 0o644)
}

// counting is a file in which every loop and every function counts.
func counting(file string) (string, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	var at []int // behind which brace
	note := func(body *ast.BlockStmt) {
		if body != nil {
			at = append(at, set.Position(body.Lbrace).Offset+1)
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			note(n.Body)
		case *ast.FuncLit:
			note(n.Body)
		case *ast.ForStmt:
			note(n.Body)
		case *ast.RangeStmt:
			note(n.Body)
		}
		return true
	})
	slices.Sort(at)
	var out strings.Builder
	from := 0
	for _, offset := range at {
		out.Write(source[from:offset])
		out.WriteString(" countTurn(); ")
		from = offset
	}
	out.Write(source[from:])
	return out.String(), nil
}
