package engine

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// proseFiles have the sentences of their rooms. All other files name facts, and the words for them are in these.
var proseFiles = []string{"sentences", "blocks", "blocks_pods", "causes", "describe"}

// words finds two words, or a word at an end with a space before or after it.
var words = regexp.MustCompile(`[a-z.,:;%] [A-Za-z]|^ [a-z]|[a-z] $`)

// TestProseStandsInOnePlace: outside the prose files a string literal is a name, a field or a format, never a sentence.
func TestProseStandsInOnePlace(t *testing.T) {
	e := readEngine(t, nil)
	report(t, e.proseElsewhere())
}

// TestProseIsFound plants a sentence in the algorithm.
func TestProseIsFound(t *testing.T) {
	for file, literals := range map[string][2]string{
		"update_pass.go":          {"causeOutdated(p, pass.view.Update.Name)", `Cause{CauseOutdated, "The pod is outdated."}`},
		"setstatus/conditions.go": {"conditionDeleting()", `Condition{Message: "The set is being deleted."}`},
		"state/selector.go":       {"errEmptySelector", `errors.New("no " + strconv.Itoa(0))`},
	} {
		e := readEngine(t, map[string]func(string) string{file: func(text string) string { return strings.Replace(text, literals[0], literals[1], 1) }})
		if len(e.proseElsewhere()) != 1 {
			t.Errorf("a sentence in %s is not found", file)
		}
	}
}

// proseElsewhere finds sentences in other files.
func (e *source) proseElsewhere() (found []string) {
	for name, file := range e.files {
		if room, file := path.Split(name); slices.Contains([]string{"model/", "policy/", "prose/", "jsontree/", "ordinals/"}, room) || slices.Contains(proseFiles, file) || room == "" && apart(name) {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			if text, err := strconv.Unquote(literal.Value); err == nil && words.MatchString(text) {
				found = append(found, e.at(literal)+": "+literal.Value)
			}
			return true
		})
	}
	slices.Sort(found)
	return found
}
