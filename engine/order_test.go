package engine

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fileOrder lists the engine's files so that each uses only functions of files before it, in the order of a pass. A file that is not there is a feature that
// stands apart: it may use all of them, has its sentences inside, and is known to the hooks alone.
var fileOrder = []string{
	// Sentences, and the view.
	"blocks", "blocks_pods", "causes", "view", "policies", "limits",
	// What reads.
	"usable", "unknown", "namesake", "ownership", "classify", "revision", "moment", "repair_policy",
	// What decides.
	"holds", "ready", "waiting", "replicas", "condemned", "finish_in_place", "update_in_place", "update_all", "update_pass", "update_rank", "update", "repair", "recreate",
	// The pass.
	"decide", "describe", "outlook", "drain_outlook", "doc",
}

// TestFileOrder: no file uses a function of one that comes later.
func TestFileOrder(t *testing.T) {
	e := readEngine(t, nil)
	for _, name := range fileOrder {
		if e.files[name] == nil {
			t.Errorf("there is no %s.go", name)
		}
	}
	report(t, e.usesOfLater())
	told, called := e.stepsTold(), e.stepsCalled()
	if !slices.Equal(told, called) {
		t.Errorf("doc.go:    %s\ndecide.go: %s", strings.Join(told, " "), strings.Join(called, " "))
	}
}

func report(t *testing.T, found []string) {
	for _, text := range found {
		t.Error(text)
	}
}

// TestDisorderIsFound plants each kind of disorder.
func TestDisorderIsFound(t *testing.T) {
	plant := func(file, old, new string) *source {
		return readEngine(t, map[string]func(string) string{file: func(text string) string { return strings.Replace(text, old, new, 1) }})
	}
	if len(plant("holds.go", `why != nil {`, `why != nil && DecideUntil != nil {`).usesOfLater()) != 1 {
		t.Error("a file that uses one that comes later is not found")
	}
	e := plant("decide.go", "\tclaims.ExplainOtherOwners(&v.Claims, out)\n\tclaims.Change(&v.Claims, out)\n", "\tclaims.Change(&v.Claims, out)\n\tclaims.ExplainOtherOwners(&v.Claims, out)\n")
	if slices.Equal(e.stepsTold(), e.stepsCalled()) {
		t.Error("another order of steps is not found")
	}
}

// usesOfLater finds functions that a file uses before theirs in the order.
func (e *source) usesOfLater() (found []string) {
	e.eachUse(func(from, to string, id *ast.Ident) {
		switch {
		case apart(from):
		case apart(to) && !slices.Contains(hooks, from):
			found = append(found, e.at(id)+": "+id.Name+" of "+to+".go, which stands apart")
		case slices.Index(fileOrder, to) > slices.Index(fileOrder, from):
			found = append(found, e.at(id)+": "+id.Name+" of "+to+".go, which comes later")
		}
	})
	return found
}

// hooks are the files by which the core asks features that stand apart.
var hooks = []string{"holds"}

func apart(file string) bool { return !slices.Contains(fileOrder, file) }

// eachUse calls f for every use of another file's function or method; files are named without ".go".
func (e *source) eachUse(f func(from, to string, id *ast.Ident)) {
	for id, object := range e.info.Uses {
		if _, function := object.(*types.Func); !function || object.Pkg() != e.pkg {
			continue
		}
		if from, to := e.fileOf(id.Pos()), e.fileOf(object.Pos()); from != to {
			f(from, to, id)
		}
	}
}

func (e *source) at(n ast.Node) string { return e.fset.Position(n.Pos()).String() }

func (e *source) fileOf(at token.Pos) string {
	return strings.TrimSuffix(e.fset.Position(at).Filename, ".go")
}

// stepsTold are the files of the steps in doc.go's order.
func (e *source) stepsTold() (files []string) {
	for _, line := range regexp.MustCompile(`(?m)^//\t([a-z_/]+)\.go `).FindAllStringSubmatch(e.texts["doc"], -1) {
		files = append(files, line[1])
	}
	return files
}

// stepsCalled are the same files in the order of a pass, each by its last call.
func (e *source) stepsCalled() (files []string) {
	told, bodies := e.stepsTold(), e.bodies()
	for _, function := range []string{"readSet", "readObjects", "changePods", "decide"} {
		ast.Inspect(bodies[e.pkg.Scope().Lookup(function)], func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			if callee, ok := e.info.Uses[id].(*types.Func); ok && slices.Contains(told, e.fileOf(callee.Pos())) {
				file := e.fileOf(callee.Pos())
				files = append(slices.DeleteFunc(files, func(earlier string) bool { return earlier == file }), file)
			}
			return true
		})
	}
	return files
}
