package convert

import (
	"fmt"
	"io"
	"strings"

	"github.com/setplan/setplan/clients/cli/printable"
)

// Result is the answer: the preflight, the commands and the new manifest.
type Result struct {
	Set      string         `json:"set"`
	From     string         `json:"from"`
	To       string         `json:"to"`
	Findings []Finding      `json:"preflight"`
	Steps    []Step         `json:"commands"`
	Manifest map[string]any `json:"manifest"`
}

// Make works out how the set of a case moves, after Read.
func Make(c *Case) *Result {
	return &Result{Set: c.Set.GetNamespace() + "/" + c.name(), From: c.From.APIVersion(), To: c.To.APIVersion(),
		Findings: c.preflight(), Steps: c.steps(), Manifest: c.manifest()}
}

// Stops counts the findings that must be dealt with before the first command.
func (r *Result) Stops() (n int) {
	for _, f := range r.Findings {
		if f.Severity == Stop {
			n++
		}
	}
	return n
}

// Text writes the preflight and the commands for people. The commands are a script: everything else is a comment.
func Text(w io.Writer, r *Result) error {
	b := &strings.Builder{}
	line := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	line("# %s: from %s to %s", printable.Line(r.Set), r.From, r.To)
	line("#\n# Preflight, the most dangerous first")
	if len(r.Findings) == 0 {
		line("#   nothing was found")
	}
	for i, f := range r.Findings {
		line("# %d. %s", i+1, printable.Line(strings.Join(strings.Fields(fmt.Sprintf("%s %s %s", f.Severity, f.Code, f.Subject)), " ")))
		line("#    %s", printable.Line(f.Message))
		if f.Remedy != "" {
			line("#    help: %s", printable.Line(f.Remedy))
		}
		for _, command := range f.Commands {
			line("#    $ %s", command)
		}
	}
	if n := r.Stops(); n > 0 {
		line("#\n# Resolve the findings that say stop (%d) before you run any command.", n)
	}
	line("#\n# Run these commands one after another. Stop if one fails. After an interruption, continue with the command that did not finish; if it")
	line("# says AlreadyExists or NotFound, continue with the next one.")
	for i, s := range r.Steps {
		line("\n# %d. %s", i+1, s.What)
		line("%s", s.Command)
		if len(s.Back) > 0 {
			line("# If that fails, stop. The way back:")
		}
		for _, command := range s.Back {
			line("#   $ %s", command)
		}
		if s.After != "" {
			line("# From here on: %s.", s.After)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
