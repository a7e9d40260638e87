package drain

import (
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// TestQuestionsOfOthers: a question counts if it was put to this pod, whatever the spec was then. No other text is one, however long it is.
func TestQuestionsOfOthers(t *testing.T) {
	p, other := &model.Pod{UID: "a"}, &model.Pod{UID: "b"}
	for text, want := range map[string]bool{
		"7-" + signOf(p): true, "-9223372036854775808-" + signOf(p): true, "7-" + signOf(other): false, "7-": false, "-" + signOf(p): false,
		signOf(p): false, "x-" + signOf(p): false, strings.Repeat("0", longestGeneration+1) + "-" + signOf(p): false, "": false,
	} {
		p.Annotations = &model.Annotations{Values: map[string]string{state.AnnotationDrainRequest: text}}
		if got := IsAskedItself(p); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
