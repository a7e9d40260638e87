package story

import "strings"

// Step is a command of a story file, with the comments before it.
type Step struct {
	Comments []string
	Text     string // the lines of the command, as they stand
	Command  Command
}

// Script reads a story file without the expected output.
func Script(text string) []Step {
	var steps []Step
	var next Step
	var lines []string // of the command at hand: the line, then its input
	expected := false  // inside the expected output, which a blank line ends
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "----" && len(lines) > 0:
			next.Text = strings.Join(lines, "\n")
			next.Command = ParseCommand(lines[0], strings.Join(lines[1:], "\n"))
			steps = append(steps, next)
			next, lines, expected = Step{}, nil, true
		case strings.TrimSpace(line) == "":
			expected = false
		case expected:
		case strings.HasPrefix(line, "#") && len(lines) == 0:
			next.Comments = append(next.Comments, line)
		default:
			lines = append(lines, line)
		}
	}
	return steps
}
