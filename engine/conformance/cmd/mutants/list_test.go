package main

import (
	"go/parser"
	"go/token"
	"testing"
)

// TestEveryMutationApplies keeps the list true to the engine as it is: each text occurs once, and what comes out is Go.
func TestEveryMutationApplies(t *testing.T) {
	if len(mutations) < 20 {
		t.Errorf("only %d mutations", len(mutations))
	}
	names := map[string]bool{}
	for _, m := range mutations {
		if names[m.Name] || m.Breaks == "" {
			t.Errorf("%s: the name is used twice, or nothing is said", m.Name)
		}
		names[m.Name] = true
		path, text, err := m.apply("../../..")
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), path, text, 0); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}
