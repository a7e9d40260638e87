package prose

import (
	"os/exec"
	"strings"
	"testing"
)

// TestCommands: a shell that reads a remedy's command reads the namespace and every word as they are.
func TestCommands(t *testing.T) {
	for _, word := range []string{"web-0", `{"status":{"currentRevision":"web-b"}}`, "it's $(id) ;*", "a=b", ""} {
		remedy := InNamespace("Do it: "+Kubectl("patch", word), "a b")
		command, ends := strings.CutSuffix(strings.TrimPrefix(remedy, "Do it: `"), "`")
		out, err := exec.Command("sh", "-c", `kubectl() { printf '%s|' "$@"; }; `+command).CombinedOutput()
		if got := string(out); err != nil || !ends || got != "-n|a b|patch|"+word+"|" {
			t.Errorf("%q: %v: %s", remedy, err, got)
		}
	}
}
