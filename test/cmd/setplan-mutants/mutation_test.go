package main

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// root is the repository's root.
const root = "../../.."

// TestEveryMutationApplies keeps the lists in step with the code: each text occurs once, and the result is valid Go.
func TestEveryMutationApplies(t *testing.T) {
	if files, err := lists.ReadDir("lists"); err != nil || len(files) != len(parts) {
		t.Errorf("%d lists for %d parts, %v", len(files), len(parts), err)
	}
	for _, p := range parts {
		mutations, err := p.mutations()
		if err != nil || len(mutations) == 0 {
			t.Errorf("%s has %d mutations, %v", p.name, len(mutations), err)
		}
		names := map[string]bool{}
		for _, m := range mutations {
			if names[m.Name] {
				t.Errorf("%s/%s: the name is used twice", p.name, m.Name)
			}
			names[m.Name] = true
			path, text, err := m.apply(filepath.Join(root, p.folder))
			if err != nil {
				t.Errorf("%s/%s: %v", p.name, m.Name, err)
				continue
			}
			if _, err := parser.ParseFile(token.NewFileSet(), path, text, 0); err != nil {
				t.Errorf("%s/%s: %v", p.name, m.Name, err)
			}
		}
	}
}

// TestFailing: the table's line names the test that found the mistake.
func TestFailing(t *testing.T) {
	for out, want := range map[string]string{
		"--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/b (0.00s)\n        x.go:1: no\nFAIL\n": "TestA/b",
		"--- FAIL: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\n":                           "TestA",
		"--- FAIL: TestA (0.00s)\npanic: oh [recovered]\n\ngoroutine 1":                      "TestA panic: oh [recovered]",
		"panic: test timed out after 1m0s\n\trunning tests:\n":                               "panic: test timed out after 1m0s",
		"": "an end without a word",
	} {
		if got := failing(out); got != want {
			t.Errorf("%q, want %q, of\n%s", got, want, out)
		}
	}
}
