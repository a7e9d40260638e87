// Package printable makes text from outside safe to show: names, messages, annotations and whatever a server or a file
// says may hold escape sequences that move a cursor, change a terminal's title or colour, line breaks that forge a line of
// ours, and characters that turn the direction of writing. What people read goes through here; JSON and YAML stay exact.
package printable

import (
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line is a text on one line: white space of any kind becomes spaces, and what is not printable is shown as Go writes it
// in a string, such as \x1b. A text that is safe comes back as it is.
func Line(text string) string {
	return escape(text, func(r rune) bool { return false })
}

// Lines keeps line breaks and indents what follows each, so that no line of a text from outside begins where one of
// ours does.
func Lines(text string) string {
	text = escape(strings.TrimRight(text, "\n"), func(r rune) bool { return r == '\n' })
	return strings.ReplaceAll(text, "\n", "\n  ")
}

// ours are the escape sequences that this program writes itself: colours, see package show.
var ours = regexp.MustCompile(`^\x1b\[(0|1|2|31|32|33)m`)

// Writer lets a finished text through to a terminal or a file: lines, tabs and, if they are wanted, colours. It is the
// last wall, behind Line, which alone can tell a forged line from one of ours.
func Writer(out io.Writer, colors bool) io.Writer { return writer{out, colors} }

type writer struct {
	out    io.Writer
	colors bool
}

func (w writer) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.out, Text(string(text), w.colors)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Text is what Writer makes of a text.
func Text(text string, colors bool) string {
	keep := func(r rune) bool { return r == '\n' || r == '\t' }
	if !colors {
		return escape(text, keep)
	}
	var b strings.Builder
	for {
		at := strings.IndexByte(text, '\x1b')
		if at < 0 {
			b.WriteString(escape(text, keep))
			return b.String()
		}
		b.WriteString(escape(text[:at], keep))
		sequence := ours.FindString(text[at:])
		if sequence == "" {
			b.WriteString(`\x1b`)
			text = text[at+1:]
			continue
		}
		b.WriteString(sequence)
		text = text[at+len(sequence):]
	}
}

func escape(text string, keep func(rune) bool) string {
	safe := func(r rune) bool { return unicode.IsPrint(r) || keep(r) }
	if utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool { return !safe(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\x` + strconv.FormatUint(uint64(text[0]), 16))
		case safe(r):
			b.WriteString(text[:size])
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		default:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		text = text[size:]
	}
	return b.String()
}
