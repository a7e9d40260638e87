package cli_test

import (
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/setplan/setplan/clients/cli"
)

// TestVersion: the flag and the command print the same, under the name by which the program was called.
func TestVersion(t *testing.T) {
	for program, want := range map[string]string{"setplan": "setplan version v1.2.3\n", "/bin/kubectl-setplan": "kubectl setplan version v1.2.3\n"} {
		for _, argument := range []string{"--version", "version"} {
			streams, _, out, _ := genericiooptions.NewTestIOStreams()
			command := cli.Command(cli.Config{Version: "v1.2.3", Program: program, Streams: streams})
			command.SetArgs([]string{argument})
			if err := command.ExecuteContext(t.Context()); err != nil || out.String() != want {
				t.Errorf("%s %s: %q, %v", program, argument, out, err)
			}
		}
	}
}
