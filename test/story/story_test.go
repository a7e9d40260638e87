package story_test

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/setplan/setplan/test/story"
)

// TestStories runs every file of testdata/stories. Run it with -rewrite to accept new output, and commit only differences that you
// understand.
func TestStories(t *testing.T) {
	datadriven.Walk(t, "testdata/stories", func(t *testing.T, path string) {
		if strings.HasSuffix(path, ".md") {
			return
		}
		runner := story.NewRunner()
		datadriven.RunTest(t, path, func(_ *testing.T, d *datadriven.TestData) string {
			command := story.Command{Name: d.Cmd, Options: map[string]string{}, Input: d.Input}
			for _, arg := range d.CmdArgs {
				if arg.Vals == nil {
					command.Args = append(command.Args, arg.Key)
				} else {
					command.Options[arg.Key] = strings.Join(arg.Vals, ",")
				}
			}
			return runner.Run(command)
		})
		for _, problem := range runner.Problems() {
			t.Error(problem)
		}
	})
}
