package verdicts

import (
	"slices"
	"testing"
)

// TestVerdicts asks every tool about every set. A tool says "done" where that is true and nowhere else, or the list of
// exceptions says why not.
func TestVerdicts(t *testing.T) {
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			found := s.run(t)
			for _, tool := range tools {
				word, err := tool.ask(found)
				if err != nil {
					t.Errorf("%s: %v", tool.name, err)
					continue
				}
				wrong := (word == tool.done) != (s.truth == done)
				switch number := excepted(tool.name, s.name); {
				case wrong && number == 0:
					t.Errorf("%s says %q of a set that is %s, and no exception says why", tool.name, word, s.truth)
				case !wrong && number != 0:
					t.Errorf("%s says %q, which is right: exception %d is not needed for it", tool.name, word, number)
				}
			}
		})
	}
}

// TestExceptionsName fails where an exception names what is not there.
func TestExceptionsName(t *testing.T) {
	for i, e := range exceptions {
		for _, name := range e.tools {
			if !slices.ContainsFunc(tools, func(tool tool) bool { return tool.name == name }) {
				t.Errorf("exception %d: no tool is called %q", i+1, name)
			}
		}
		for _, name := range e.states {
			if !slices.ContainsFunc(states, func(s state) bool { return s.name == name }) {
				t.Errorf("exception %d: no state is called %q", i+1, name)
			}
		}
	}
}
