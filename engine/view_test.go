package engine

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNobodyChangesTheView: no function that decide or decideDrain can reach writes a field of the view, or of what the view contains.
func TestNobodyChangesTheView(t *testing.T) {
	e := readEngine(t, nil)
	for _, found := range e.writes(e.reached("decide", "decideDrain")) {
		t.Error(found)
	}
}

// TestChangedViewIsFound plants such a write in each way that Go has.
func TestChangedViewIsFound(t *testing.T) {
	const line = "\tpass := updatePass{view: v, status: status, out: out}\n"
	for _, write := range []string{"v.Leaving = 1", "v.Leaving++", "v.Replicas[0] = nil", "v.Condemned = v.Condemned[1:]", "v.Drain.On, v.Unsure = true, true",
		"v.Current.Name = short(v.Set.Name)", "delete(v.taken, 0)", "clear(v.taken)", "v.Excess[\"\"] = \"\"", "p := &v.Leaving; *p = 1"} {
		e := readEngine(t, map[string]func(string) string{"update.go": func(text string) string {
			return strings.Replace(text, line, line+"\t"+write+"\n", 1)
		}})
		if found := e.writes(e.reached("decide", "decideDrain")); len(found) == 0 {
			t.Errorf("%s is not found", write)
		}
	}
	e := readEngine(t, map[string]func(string) string{"setstatus/history.go": func(text string) string {
		return strings.Replace(text, "\tout.StartPhase()\n", "\tout.StartPhase()\n\tv.Revisions = nil\n", 1)
	}})
	if found := e.writes(e.reached("decide", "decideDrain")); len(found) == 0 {
		t.Error("a write in another room is not found")
	}
}

// source is the code of the engine and its rooms, with the types of their own names.
type source struct {
	fset     *token.FileSet
	texts    map[string]string // by file, such as "decide" or "drain/places"
	files    map[string]*ast.File
	info     types.Info
	pkg      *types.Package // the engine
	packages map[string]*types.Package
	change   map[string]func(string) string // what is planted, by file
	t        *testing.T
}

const rooms = "github.com/setplan/setplan/engine/"

// Import reads a room. Any other package it takes for an empty one: the types of the engine's own names do not need it.
func (e *source) Import(path string) (*types.Package, error) {
	room, ours := strings.CutPrefix(path, rooms)
	if !ours {
		return nil, errors.New("not read")
	}
	if e.packages[room] == nil {
		e.packages[room] = e.read(room)
	}
	return e.packages[room], nil
}

func (e *source) read(room string) *types.Package {
	paths, err := filepath.Glob(filepath.Join(room, "*.go"))
	if err != nil {
		e.t.Fatal(err)
	}
	var list []*ast.File
	for _, path := range paths {
		name := strings.TrimSuffix(path, ".go")
		if strings.HasSuffix(name, "_test") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			e.t.Fatal(err)
		}
		if edit := e.change[path]; edit != nil {
			edited := edit(string(text))
			if edited == string(text) {
				e.t.Fatalf("the text to change is not in %s", path)
			}
			text = []byte(edited)
		}
		file, err := parser.ParseFile(e.fset, path, text, parser.ParseComments)
		if err != nil {
			e.t.Fatal(err)
		}
		e.files[name], e.texts[name], list = file, string(text), append(list, file)
	}
	config := types.Config{Importer: e, Error: func(error) {}}
	pkg, _ := config.Check(rooms+room, e.fset, list, &e.info)
	return pkg
}

func readEngine(t *testing.T, change map[string]func(string) string) *source {
	e := &source{fset: token.NewFileSet(), texts: map[string]string{}, files: map[string]*ast.File{}, packages: map[string]*types.Package{}, change: change, t: t,
		info: types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	e.pkg = e.read("")
	return e
}

// bodies are the functions and methods by their objects.
func (e *source) bodies() map[types.Object]*ast.FuncDecl {
	all := map[types.Object]*ast.FuncDecl{}
	for _, file := range e.files {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				all[e.info.Defs[fn.Name]] = fn
			}
		}
	}
	return all
}

// reached are the functions that these roots name, directly or through others.
func (e *source) reached(roots ...string) map[types.Object]*ast.FuncDecl {
	all, reached := e.bodies(), map[types.Object]*ast.FuncDecl{}
	var visit func(fn types.Object)
	visit = func(fn types.Object) {
		body := all[fn]
		if body == nil || reached[fn] != nil {
			return
		}
		reached[fn] = body
		ast.Inspect(body, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok && e.info.Uses[name] != nil {
				visit(e.info.Uses[name])
			}
			return true
		})
	}
	for _, root := range roots {
		visit(e.pkg.Scope().Lookup(root))
	}
	return reached
}

// viewTypes are the view, with what each room knows, and what it contains. remembered is missing: it follows from the rest.
var viewTypes = []string{"engine.view", "state.View", "state.asked", "state.found", "rollout.Rollout", "claimtemplate.Known", "inplace.Pods", "claims.Claims",
	"claimtemplate.claimTemplate", "state.DrainPolicy", "claims.claimIndex", "state.RevisionChoice", "state.Member"}

// layers are those of them that the view is made of. A function of a room gets its own.
var layers = []string{"View", "Rollout", "Known", "Pods", "Claims"}

// writes finds writes to fields of the view in some functions.
func (e *source) writes(functions map[types.Object]*ast.FuncDecl) (found []string) {
	check := func(fn types.Object, target ast.Expr) {
		if field := e.viewField(target); field != "" {
			found = append(found, e.fset.Position(target.Pos()).String()+": "+fn.Name()+" writes "+field+", and the view is complete by then")
		}
	}
	for fn, body := range functions {
		ast.Inspect(body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, target := range n.Lhs {
					check(fn, target)
				}
			case *ast.IncDecStmt:
				check(fn, n.X)
			case *ast.UnaryExpr:
				if field, ok := n.X.(*ast.SelectorExpr); ok && n.Op == token.AND && slices.Contains(viewTypes, e.ownerOf(e.info.Selections[field])) && !slices.Contains(layers, field.Sel.Name) {
					check(fn, field) // whoever has the address can write
				}
			case *ast.CallExpr:
				if name, ok := n.Fun.(*ast.Ident); ok && (name.Name == "delete" || name.Name == "clear") {
					check(fn, n.Args[0])
				}
			}
			return true
		})
	}
	slices.Sort(found)
	return found
}

// viewField names the field of the view that an expression is, or is a part of; empty: none.
func (e *source) viewField(x ast.Expr) string {
	for {
		switch at := x.(type) {
		case *ast.IndexExpr:
			x = at.X
		case *ast.SliceExpr:
			x = at.X
		case *ast.ParenExpr:
			x = at.X
		case *ast.StarExpr:
			x = at.X
		case *ast.SelectorExpr:
			switch owner := e.ownerOf(e.info.Selections[at]); {
			case slices.Contains(viewTypes, owner):
				return owner + "." + at.Sel.Name
			case strings.HasSuffix(owner, ".remembered"):
				return ""
			}
			x = at.X
		default:
			return ""
		}
	}
}

// ownerOf names the struct that declares a selected field, which may be embedded; empty if it is no field.
func (e *source) ownerOf(s *types.Selection) string {
	if s == nil || s.Kind() != types.FieldVal {
		return ""
	}
	of := s.Recv()
	for i, index := range s.Index() {
		if p, ok := of.Underlying().(*types.Pointer); ok {
			of = p.Elem()
		}
		fields, ok := of.Underlying().(*types.Struct)
		if !ok {
			return ""
		}
		if i == len(s.Index())-1 {
			if named, ok := of.(*types.Named); ok {
				return named.Obj().Pkg().Name() + "." + named.Obj().Name()
			}
			return ""
		}
		of = fields.Field(index).Type()
	}
	return ""
}
