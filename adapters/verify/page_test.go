package verify

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPage: docs/adapter.md has the list in the same words and order, for authors who port it.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/adapter.md")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, c := range list {
		want = append(want, fmt.Sprintf("| `%s` | %s |", c.name, c.words))
	}
	_, section, _ := strings.Cut(string(page), "## What is verified")
	got := regexp.MustCompile("(?m)^\\| `.*$").FindAllString(section, -1)
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("line %d of the table differs, want\n%s", i+1, slices.Concat(want[min(i, len(want)):], []string{""})[0])
		}
	}
}
