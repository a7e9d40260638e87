// Package show turns plans and reasons into text for a terminal, a file or a test. The same input gives the same text.
package show

import (
	"io"
	"os"

	"golang.org/x/term"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Style says how text looks.
type Style struct {
	// Color allows ANSI colours.
	Color bool
	// Wide shows ids, preconditions and whatever else helps to compare.
	Wide bool
	// Most is how many actions, and how many blocks or reasons, are shown. The rest is counted. 0 is no limit.
	Most int
	// Flags lead kubectl to the cluster that was read; none are needed to the usual one.
	Flags []string
}

// Drawable reports whether a writer is a terminal on which a picture can be redrawn.
func Drawable(out io.Writer) bool {
	file, ok := out.(*os.File)
	return ok && term.IsTerminal(int(file.Fd())) && os.Getenv("TERM") != "dumb"
}

// Colorful reports whether a writer gets colours: on such a terminal, unless NO_COLOR is set (https://no-color.org).
func Colorful(out io.Writer) bool { return Drawable(out) && os.Getenv("NO_COLOR") == "" }

// Colours of ANSI.
const (
	Red    = "31"
	Green  = "32"
	Yellow = "33"
	Faint  = "2"
	Bold   = "1"
)

// Paint colours a text.
func (s Style) Paint(color, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// Severity returns the word for a severity, in its colour.
func (s Style) Severity(severity setplanv1.Severity) string {
	switch severity {
	case setplanv1.Severity_SEVERITY_INFO:
		return s.Paint(Faint, "info")
	case setplanv1.Severity_SEVERITY_WAIT:
		return s.Paint(Yellow, "wait")
	case setplanv1.Severity_SEVERITY_ATTENTION:
		return s.Paint(Red, "attention")
	default:
		return severity.String()
	}
}
