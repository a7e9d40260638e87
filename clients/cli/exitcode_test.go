package cli_test

import (
	"strings"
	"testing"

	"github.com/setplan/setplan/clients/cli"
)

// TestExitCode: 2 if a set waits for a user to act, but not if it waits for something that passes by itself.
func TestExitCode(t *testing.T) {
	for line, want := range map[string]int{
		"why calm":                     0,
		"why bad":                      0,
		"why calm --exit-code":         0,
		"why slow --exit-code":         0,
		"why bad --exit-code":          2,
		"why -o json slow --exit-code": 0,
		"why -o json bad --exit-code":  2,
		"why nobody --exit-code":       1,
	} {
		r := runWith("", strings.Fields(line+" -f "+stuck+" --at "+at)...)
		if got := cli.ExitCode(r.err); got != want {
			t.Errorf("%s: exit code %d (%v), want %d", line, got, r.err, want)
		}
		if want != 1 && r.out == "" {
			t.Errorf("%s: no answer besides the exit code", line)
		}
	}
	r := runWith("", strings.Fields("why --exit-code -f "+stuck+" --at "+at)...)
	if r.err == nil || !strings.HasPrefix(r.err.Error(), "action is needed for default/bad, ") || strings.Contains(r.err.Error(), "slow") {
		t.Errorf("the error names the sets as: %v", r.err)
	}
}

// TestSelector: every command that takes several sets can choose them by labels.
func TestSelector(t *testing.T) {
	for line, want := range map[string]bool{
		"why -l tier=data":              true,
		"plan -l tier":                  true,
		"why --selector tier!=cache":    true,
		"plan -l tier=cache":            false,
		"why -A -l tier=data,app=other": false,
	} {
		r := runWith("", strings.Fields(line+" -f "+unattended)...)
		if got := strings.Contains(r.out, "default/db"); got != want || (r.err == nil) != want {
			t.Errorf("%s: %v, %s", line, r.err, r.out)
		}
	}
}
