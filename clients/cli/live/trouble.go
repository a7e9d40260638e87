package live

import (
	"strings"
	"time"

	"github.com/setplan/setplan/clients/cli/printable"
	"github.com/setplan/setplan/clients/cli/show"
)

// Trouble says above a picture why it may be outdated, in lines of at most that many columns; 0 is no limit.
func Trouble(style show.Style, err error, since time.Duration, columns int) string {
	b := &strings.Builder{}
	for _, line := range wrapped("no news for "+since.Truncate(time.Second).String()+": "+printable.Line(err.Error()), columns) {
		b.WriteString(style.Paint(show.Red, line) + "\n")
	}
	return b.String()
}

// wrapped breaks a text between words.
func wrapped(text string, columns int) []string {
	var lines []string
	line, width := "", 0
	for word := range strings.FieldsSeq(text) {
		size := len([]rune(word))
		switch {
		case line == "":
			line, width = word, size
		case columns > 0 && width+1+size > columns:
			lines = append(lines, line)
			line, width = word, size
		default:
			line, width = line+" "+word, width+1+size
		}
	}
	return append(lines, line)
}
