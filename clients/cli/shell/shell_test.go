package shell

import (
	"os/exec"
	"strings"
	"testing"
)

// TestCommand: a shell reads exactly the intended words, whatever names objects have.
func TestCommand(t *testing.T) {
	for value, want := range map[string]string{
		"web-0":               "web-0",
		"1; touch /tmp/x #":   "1; touch /tmp/x #",
		"it's $(id) `id` \\ ": "it's $(id) `id` \\ ",
		"a*b?[c]~":            "a*b?[c]~",
		"--all":               "NAME",
		"a\nb":                "NAME",
		"\x1b[2J":             "NAME",
		"":                    "NAME",
	} {
		// A shell function with the program's name prints its arguments, one per line.
		script := "kubectl() { for word; do printf '%s\\n' \"$word\"; done; }\n" + Command("kubectl -n default annotate pod %s --overwrite x=%s", value, value)
		out, err := exec.Command("sh", "-c", script).CombinedOutput()
		got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		wanted := []string{"-n", "default", "annotate", "pod", want, "--overwrite", "x=" + want}
		if err != nil || strings.Join(got, "|") != strings.Join(wanted, "|") {
			t.Errorf("%q: %v: got %q, want %q", value, err, got, wanted)
		}
	}
}

// TestLead: a planner's command goes to the cluster that was read, and nothing else is changed.
func TestLead(t *testing.T) {
	const remedy = "See kubectl, or: `kubectl -n a get pods`"
	if got := Lead(remedy, []string{"--context=prod", "--as=me"}); got != "See kubectl, or: `kubectl --context=prod --as=me -n a get pods`" {
		t.Error(got)
	}
	if got := Lead(remedy, nil); got != remedy {
		t.Error(got)
	}
}
