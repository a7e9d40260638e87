package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/setplan/setplan/adapters/sim/story"
)

// tell runs a story and prints it with what comes out now, whatever the file expects.
func tell(path string, out io.Writer) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	runner := story.NewRunner()
	var lines []string // of the command at hand: the line, then its input
	expected := false  // inside the expected output, which a blank line ends
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		line := scanner.Text()
		switch {
		case line == "----" && len(lines) > 0:
			fmt.Fprintf(out, "> %s\n%s\n", strings.Join(lines, "\n  "), runner.Run(story.ParseCommand(lines[0], strings.Join(lines[1:], "\n"))))
			lines, expected = nil, true
		case strings.TrimSpace(line) == "":
			expected = false
		case expected:
		case strings.HasPrefix(line, "#") && len(lines) == 0:
			fmt.Fprintln(out, line)
		default:
			lines = append(lines, line)
		}
	}
	if err := scanner.Err(); err != nil {
		return err
	}
	if problems := runner.Problems(); len(problems) > 0 {
		return fmt.Errorf("%d invariants did not hold, the first: %s", len(problems), problems[0])
	}
	return nil
}
