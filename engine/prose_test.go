package engine

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// proseFiles have the engine's sentences. All other files name facts, and the words for them are in these.
var proseFiles = []string{"problems", "blocks", "blocks_pods", "blocks_claims", "blocks_drain", "blocks_drain_policy", "blocks_ordinals",
	"blocks_rank", "blocks_scale_up", "blocks_gates", "blocks_disruption", "blocks_in_place", "blocks_claim_changes",
	"causes", "causes_drain", "conditions_words", "describe"}

// words finds two words, or a word at an end with a space before or after it.
var words = regexp.MustCompile(`[a-z.,:;%] [A-Za-z]|^ [a-z]|[a-z] $`)

// TestProseStandsInOnePlace: outside the prose files a string literal is a name, a field or a format, never a sentence.
func TestProseStandsInOnePlace(t *testing.T) {
	e := readEngine(t, nil)
	for _, name := range proseFiles {
		if e.files[name] == nil {
			t.Errorf("there is no %s.go", name)
		}
	}
	report(t, e.proseElsewhere())
}

// TestProseIsFound plants a sentence in the algorithm.
func TestProseIsFound(t *testing.T) {
	for file, literals := range map[string][2]string{
		"update_pass.go": {"causeOutdated(p, pass.view.update.name)", `Cause{CauseOutdated, "The pod is outdated."}`},
		"conditions.go":  {"conditionDeleting()", `Condition{Message: "The set is being deleted."}`},
		"selector.go":    {"errEmptySelector", `errors.New("no " + strconv.Itoa(0))`},
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
		if slices.Contains(proseFiles, name) || apart(name) {
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
