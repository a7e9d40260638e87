package engine

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fileOrder lists the engine's files so that each uses only functions of files before it, in the order of a pass. A file that is not there is a feature that
// stands apart: it may use all of them, has its sentences inside, and is known to the hooks alone.
var fileOrder = []string{
	// What every step uses.
	"policy", "resources", "caller", "sort", "revision_data", "templates_stored", "notes", "problems", "blocks", "blocks_pods", "blocks_claims", "blocks_drain", "blocks_drain_policy", "blocks_ordinals", "blocks_rank", "blocks_scale_up", "blocks_gates", "blocks_disruption", "blocks_in_place",
	"operations_size", "action_id", "claim_state", "blocks_claim_changes", "causes", "causes_drain", "conditions_words", "draft", "tried_before", "walk",
	// The view, and how it is read.
	"in_place_record", "view", "removed_templates", "selector", "matching", "owners", "finalizers",
	"drain_view", "bounds", "own_fields", "available", "pause", "rank", "scale_up", "gates", "holds", "disruption", "difference_resources", "difference", "in_place", "in_place_flight", "in_place_resize", "in_place_takes", "in_place_refused", "in_place_proof", "in_place_images", "in_place_way", "ordinals_read", "usable", "manifest", "limits", "templates", "claim_patches", "claim_additions", "claim_policy", "claim_removals", "unknown", "namesake", "claims_shared", "drain_settings", "drain_stops", "drain_policy",
	"ownership", "claim_index", "storage", "retention", "claims", "classify", "claims_left", "claims_held", "claims_stay", "claims_going", "claim_restart", "claim_changes", "revision", "moment", "repair_policy",
	// The room of the drain.
	"drain_proof", "drain_places", "drain_listed", "drain_read", "drain_protect", "drain_marks", "drain_ask", "drain_manifest",
	"drain_end", "drain_backoff", "drain_pod", "drain_order", "drain_set", "drain",
	// What decides.
	"waiting", "replicas", "condemned", "counters", "finish_in_place", "update_in_place", "update_pass", "update_rank", "update", "repair", "recreate", "conditions", "status", "history", "requeue",
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
	report(t, e.drainKnown())
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
	if len(plant("caller.go", `c.gone = c.gone`, `_ = newDraft; c.gone = c.gone`).usesOfLater()) != 1 {
		t.Error("a file that uses one that comes later is not found")
	}
	const step = "\tstatus = countPlaced(v)\n"
	for name, write := range map[string]string{"a question": "\tdr.countAllowance()\n", "its state": "\tdr.allowance = 1\n", "the policy": "\tv.drain.on = false\n"} {
		if len(plant("decide.go", step, write+step).drainKnown()) == 0 {
			t.Errorf("who knows the drain by %s is not found", name)
		}
	}
	e := plant("decide.go", "\texplainOtherOwners(v, out)\n\tchangeClaims(v, out)\n", "\tchangeClaims(v, out)\n\texplainOtherOwners(v, out)\n")
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
var hooks = []string{"holds", "available"}

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
	return strings.TrimSuffix(filepath.Base(e.fset.Position(at).Filename), ".go")
}

// stepsTold are the files of the steps in doc.go's order.
func (e *source) stepsTold() (files []string) {
	for _, line := range regexp.MustCompile(`(?m)^//\t(\w+)\.go `).FindAllStringSubmatch(e.texts["doc"], -1) {
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

// drainQuestions are all that the core asks the drain's files.
var drainQuestions = []string{"orphans", "readDrainPolicy", "openDrain", "protectClaims", "findPlaces", "comesBackLater", "mayGo", "drainOrdinals", "keepFinalizer",
	"requeue"}

// drainKnown finds what other files know of the drain beyond these questions, and beyond the policy in drain_view.go and view.go.
func (e *source) drainKnown() (found []string) {
	prose := []string{"blocks_drain", "blocks_drain_policy", "causes_drain"}
	inside := func(file string) bool { return strings.HasPrefix(file, "drain") || slices.Contains(prose, file) }
	e.eachUse(func(from, to string, id *ast.Ident) {
		if !inside(from) && inside(to) && to != "drain_view" && !slices.Contains(prose, to) && !slices.Contains(drainQuestions, id.Name) {
			found = append(found, e.at(id)+" asks "+id.Name)
		}
	})
	state := []string{"drain", "drainState", "protected", "drainPolicy", "drainPlace"}
	for selector, selection := range e.info.Selections {
		if from := e.fileOf(selector.Pos()); !inside(from) && from != "view" && slices.Contains(state, e.ownerOf(selection)) {
			found = append(found, e.at(selector)+" knows "+selector.Sel.Name)
		}
	}
	return found
}
