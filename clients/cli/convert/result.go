package convert

import (
	"fmt"
	"io"
	"strings"

	"github.com/setplan/setplan/adapters/printable"
)

// Result is everything that there is to say about a move.
type Result struct {
	Set      string         `json:"set"`
	From     string         `json:"from"`
	To       string         `json:"to"`
	Findings []Finding      `json:"preflight"`
	Steps    []Step         `json:"commands"`
	Manifest map[string]any `json:"manifest"`
}

// Make says how a set moves that was read.
func Make(c *Case) *Result {
	return &Result{Set: c.Set.GetNamespace() + "/" + c.name(), From: c.From.APIVersion(), To: c.To.APIVersion(),
		Findings: c.preflight(), Steps: c.steps(), Manifest: c.manifest()}
}

// Stops counts what must be dealt with before the first command.
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
		line("#\n# Do not run the commands before what says stop is dealt with (%d).", n)
	}
	line("#\n# Commands, one after another. Go no further where one fails. Whoever was interrupted goes on with the one that did not end; where it")
	line("# says AlreadyExists or NotFound, with the next.")
	for i, s := range r.Steps {
		line("\n# %d. %s", i+1, s.What)
		line("%s", s.Command)
		if len(s.Back) > 0 {
			line("# If that fails, go no further. The way back:")
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
