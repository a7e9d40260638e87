package live

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/setplan/setplan/clients/cli/printable"
)

// Screen draws each text over the one before, in place, below what the terminal already shows.
type Screen struct {
	out   io.Writer
	lines int
}

// NewScreen draws on a terminal.
func NewScreen(out io.Writer) *Screen { return &Screen{out: out} }

// Size returns the size of the terminal; 0 if unknown.
func (s *Screen) Size() (columns, rows int) {
	if file, ok := s.out.(*os.File); ok {
		if columns, rows, err := term.GetSize(int(file.Fd())); err == nil {
			return columns, rows
		}
	}
	return 0, 0
}

// Draw replaces the last text. It cuts lines at the width of the terminal, because a wrapped line would be miscounted, and drops lines
// that do not fit, because what has scrolled off the top cannot be replaced.
func (s *Screen) Draw(text string) error {
	columns, rows := s.Size()
	b := &strings.Builder{}
	if s.lines > 0 {
		fmt.Fprintf(b, "\x1b[%dA", s.lines) // up
	}
	b.WriteString("\x1b[J") // clear from here on
	lines := strings.Split(strings.TrimSuffix(printable.Text(text, true), "\n"), "\n")
	if room := max(1, rows-1); rows > 0 && len(lines) > room { // the cursor has the last row
		lines = lines[:room]
	}
	for _, line := range lines {
		b.WriteString(cut(line, columns) + "\n")
	}
	s.lines = len(lines)
	_, err := io.WriteString(s.out, b.String())
	return err
}

// cut shortens a line to that many characters, not counting colours.
func cut(line string, columns int) string {
	if columns == 0 {
		return line
	}
	b := &strings.Builder{}
	width, escape := 0, false
	for _, r := range line {
		switch {
		case r == '\x1b':
			escape = true
		case escape:
			escape = r != 'm'
		case width == columns:
			continue // colours that follow must still end
		default:
			width++
		}
		b.WriteRune(r)
	}
	return b.String()
}
