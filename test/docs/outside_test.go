package docs

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/setplan/setplan/test/outside"
)

// TestRulesSeenFromOutside: the table in adapter.md names the rules that have a case, and no others.
func TestRulesSeenFromOutside(t *testing.T) {
	page, err := os.ReadFile("../../docs/adapter.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| seen from outside | |")
	table, _, _ = strings.Cut(table, "\n\n")
	told := regexp.MustCompile(`\b[ACD]\d+\b`).FindAllString(table, -1)
	var tested []string
	for _, id := range outside.Cases() {
		rule, _, _ := strings.Cut(id, "/")
		tested = append(tested, rule)
	}
	slices.Sort(told)
	slices.Sort(tested)
	if tested = slices.Compact(tested); !slices.Equal(told, tested) {
		t.Errorf("the page tells of %v, and there are cases for %v", told, tested)
	}
}
