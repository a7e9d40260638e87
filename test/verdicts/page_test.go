package verdicts

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/setplan/setplan/test/need"
)

var rewrite = flag.Bool("rewrite", false, "write the table into test/verdicts/README.md")

const (
	pagePath = "README.md"
	begin    = "<!-- make rewrite WHAT=verdicts writes this table; a test compares it. -->\n"
	end      = "<!-- end of the table -->\n"
)

// tablePath has the table once more. The go command sees what a test reads in its own module only, and would not run this
// one again for a page that has changed outside: a test beside the page compares it with this file.
const tablePath = "testdata/table.md"

// TestPage fails where the table is not what the tools say.
func TestPage(t *testing.T) {
	now := table(t)
	if *rewrite {
		write(t, tablePath, now)
		write(t, pagePath, withTable(t, pagePath, now))
	}
	if read(t, tablePath) != now {
		t.Error("the table in test/verdicts/README.md is stale: make rewrite WHAT=verdicts")
	}
}

// withTable is a page with a new table between its marks.
func withTable(t *testing.T, path, table string) string {
	t.Helper()
	before, rest, opened := strings.Cut(read(t, path), begin)
	_, after, closed := strings.Cut(rest, end)
	if !opened || !closed {
		t.Fatalf("%s has no place for the table", path)
	}
	return before + begin + "\n" + table + "\n" + end + after
}

func read(t *testing.T, path string) string {
	t.Helper()
	text := need.Value(os.ReadFile(path))(t)
	return string(text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	need.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// table has a row for each state; words that are not true are bold, with the number of the reason below.
func table(t *testing.T) string {
	var b strings.Builder
	heads := []string{"the set", "is", "`Reconciling`", "`Blocked`"}
	for _, tool := range tools {
		heads = append(heads, tool.name)
	}
	fmt.Fprintf(&b, "| %s |\n|%s\n", strings.Join(heads, " | "), strings.Repeat("---|", len(heads)))
	for _, s := range states {
		found := s.run(t)
		cells := []string{s.name, string(s.truth), condition(found.set, "Reconciling"), condition(found.set, "Blocked")}
		for _, tool := range tools {
			word, number, err := judge(tool, found)
			if err != nil {
				t.Fatalf("%s, %s: %v", s.name, tool.name, err)
			}
			if number > 0 {
				word = fmt.Sprintf("**%s** (%d)", word, number)
			}
			cells = append(cells, word)
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	b.WriteString("\n")
	for i, e := range exceptions {
		fmt.Fprintf(&b, "%d. %s\n", i+1, e.why)
	}
	return b.String()
}
