package walls

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// listed is what "go list -json" says about a package. Its dependencies are without those of tests.
type listed struct {
	ImportPath string
	Name       string
	Imports    []string
	Deps       []string

	TestImports, XTestImports []string
}

// breaches returns a sentence for each import that a wall forbids.
func breaches(walls []wall, packages []listed) []string {
	var out []string
	for _, p := range packages {
		for _, w := range walls {
			if !matchAny(w.around, p.ImportPath) || matchAny(w.except, p.ImportPath) || w.mains && p.Name == "main" {
				continue
			}
			var over []string
			for _, dep := range p.Deps {
				if matchAny(w.never, dep) || len(w.only) > 0 && !standard(dep) && !matchAny(w.only, dep) {
					over = append(over, dep)
				}
			}
			for _, dep := range p.Imports {
				if matchAny(w.noDirect, dep) {
					over = append(over, dep)
				}
			}
			if len(over) > 0 {
				out = append(out, breach(p.ImportPath, over, w.why))
			}
		}
	}
	return out
}

// breach names a few of the imports: one that is forbidden usually brings its own.
func breach(from string, to []string, why string) string {
	more := ""
	if few := 3; len(to) > few {
		more = fmt.Sprintf(" and %d more", len(to)-few)
		to = to[:few]
	}
	return fmt.Sprintf("%s must not import %s%s, neither itself nor through others: %s", from, strings.Join(to, ", "), more, why)
}

func matchAny(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if root, deep := strings.CutSuffix(pattern, "/..."); deep {
			return path == root || strings.HasPrefix(path, root+"/")
		}
		return path == pattern
	})
}

// standard: import paths outside the standard library begin with a domain.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// clockUses returns a sentence for each use of a clock in a Go file. source is as for parser.ParseFile.
func clockUses(name string, source any) ([]string, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	local := ""
	for _, spec := range file.Imports {
		if path, _ := strconv.Unquote(spec.Path.Value); path == "time" {
			local = "time"
			if spec.Name != nil {
				local = spec.Name.Name
			}
		}
	}
	if local == "." {
		return []string{name + ": a dot import of time hides the uses of the clock from this check"}, nil
	}
	var out []string
	ast.Inspect(file, func(node ast.Node) bool {
		selector, ok := node.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := selector.X.(*ast.Ident); ok && local != "" && x.Name == local {
			if instead, forbidden := clocks[selector.Sel.Name]; forbidden {
				out = append(out, fmt.Sprintf("%s: the engine has no clock, so no time.%s: %s",
					files.Position(selector.Pos()), selector.Sel.Name, instead))
			}
		}
		return true
	})
	return out, nil
}
