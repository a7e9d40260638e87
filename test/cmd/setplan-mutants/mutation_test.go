package main

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// root is where the repository begins.
const root = "../../.."

// TestEveryMutationApplies keeps the lists true to the code as it is: each text occurs once, and what comes out is Go.
func TestEveryMutationApplies(t *testing.T) {
	for _, p := range parts {
		if len(p.mutations) == 0 {
			t.Errorf("nothing is wrong in %s", p.name)
		}
		names := map[string]bool{}
		for _, m := range p.mutations {
			if names[m.Name] || m.Breaks == "" {
				t.Errorf("%s/%s: the name is used twice, or nothing is said", p.name, m.Name)
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

// TestFailing: the line in the table says which test has found the mistake.
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
