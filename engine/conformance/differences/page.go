package differences

import (
	"fmt"
	"strings"

	"github.com/setplan/setplan/engine/conformance/oracle"
)

const head = "<!-- `make rules` writes this page from engine/conformance/differences and oracle/allowed.go; a test compares it. -->\n" + `
# How SETPLAN differs from Kubernetes 1.36

` + "`--behavior KUBERNETES_1_36` decides as the controller of Kubernetes 1.36.3 does with default feature gates, its known\n" +
	"bugs included. `--behavior SETPLAN`, the default, differs in the points below and in no other. Each is a field of\n" +
	"`engine.Rules`. What is shown here is what upstream's own code and ours did in the same small world; a test runs both\n" +
	"again, and shows that this one rule makes the difference.\n"

const differently = `
# What is the same in words, and done differently

These are not rules: nobody can tell the difference from the outside once the next pass is over, or a write is left out
that the API refuses or that changes nothing. The oracle of ` + "`make conformance`" + ` knows each of them by name, counts how
often it meets it, and fails at anything else.

| upstream | here |
|---|---|
`

const tail = `
Beside these: where bytes of the newest revision differ from the template's, upstream compares what its types read, with
defaults filled in; here nulls, objects that every API server fills in, and the text of numbers do not count, and a
default that one of the two leaves out does. Writes carry uid preconditions, and a plan holds at most 1,000 actions of
one phase; the adapter then asks again.
`

// Page is docs/rules.md.
func Page() string {
	var b strings.Builder
	b.WriteString(head)
	for _, row := range Rows {
		fmt.Fprintf(&b, "\n## %s\n", row.Rule)
		b.WriteString(paragraph(row.Upstream + " " + row.Ours + " " + row.Why))
		b.WriteString("\n" + paragraph("Issue: "+row.Issue))
		b.WriteString("\n" + paragraph("Shown: "+row.Scene) + "\n```text\n")
		b.WriteString(column("upstream", row.Theirs))
		b.WriteString(column("SETPLAN", row.Planned))
		b.WriteString("```\n")
	}
	b.WriteString(differently)
	for _, a := range oracle.Allowances() {
		fmt.Fprintf(&b, "| %s | %s |\n", a.Upstream, a.Here)
	}
	b.WriteString(tail)
	return b.String()
}

func column(who string, lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&b, "%-8s  %s\n", who, line)
		who = ""
	}
	return b.String()
}

// paragraph breaks a text into lines as the other pages have them.
func paragraph(text string) string {
	const width = 120
	var b strings.Builder
	used := 0
	for _, word := range strings.Fields(text) {
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
	return b.String() + "\n"
}
