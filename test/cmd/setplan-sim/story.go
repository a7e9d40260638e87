package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/setplan/setplan/test/story"
)

// tell runs a story and prints it with its current output, whatever the file expects.
func tell(path string, out io.Writer) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	runner := story.NewRunner()
	for _, step := range story.Script(string(text)) {
		for _, comment := range step.Comments {
			fmt.Fprintln(out, comment)
		}
		fmt.Fprintf(out, "> %s\n%s\n", strings.ReplaceAll(step.Text, "\n", "\n  "), runner.Run(step.Command))
	}
	if problems := runner.Problems(); len(problems) > 0 {
		return fmt.Errorf("%d invariants did not hold, the first: %s", len(problems), problems[0])
	}
	return nil
}
