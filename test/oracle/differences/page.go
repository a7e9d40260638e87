package differences

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/setplan/setplan/test/oracle"
)

//go:embed page.md.tmpl
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{"wrap": wrap, "column": column}).Parse(pageText))

// Page returns the text of docs/rules.md.
func Page() (string, error) {
	var b strings.Builder
	err := page.Execute(&b, map[string]any{"Rows": Rows, "Allowances": oracle.Allowances()})
	return b.String(), err
}

// column shows what one side does, with its name beside the first line.
func column(who string, lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&b, "%-8s  %s\n", who, line)
		who = ""
	}
	return b.String()
}

// wrap breaks a paragraph into lines of the same width as on the other pages.
func wrap(sentences ...string) string {
	const width = 180
	var b strings.Builder
	used := 0
	for _, word := range strings.Fields(strings.Join(sentences, " ")) {
		switch {
		case used == 0:
		case used+1+len(word) > width:
			b.WriteByte('\n')
			used = 0
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += len(word)
	}
	return b.String()
}
