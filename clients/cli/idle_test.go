package cli_test

import (
	"strings"
	"testing"
)

// unattended is a set whose image was changed while no adapter ran.
const unattended = "testdata/unattended.yaml"

// TestNobodyActs: where nobody carries the plan out, that comes first, and nothing that only the plan would bring about is
// told as if it were so.
func TestNobodyActs(t *testing.T) {
	out := run(t, "why db -f "+unattended+" --at 2026-11-21T06:40:50Z")
	_, first, _ := strings.Cut(out, "\n")
	if want := "1. StatefulSet/db NOBODY_ACTS: Nobody seems to act on the set: its spec is at generation 2, but its status is at generation 1."; !strings.HasPrefix(first, want) {
		t.Errorf("the first reason is not %q:\n%s", want, out)
	}
	if strings.Contains(out, "unavailable") {
		t.Errorf("all pods are available, and yet:\n%s", out)
	}
	for at, said := range map[string]bool{
		"--at 2026-11-21T06:40:02Z": false, // an adapter may be about to
		"--at 2026-11-21T06:40:50Z": true,
	} {
		if out := run(t, "why db -o json -f "+unattended+" "+at); strings.Contains(out, "NOBODY_ACTS") != said {
			t.Errorf("%s: %s", at, out)
		}
	}
	// Nobody knows of when the file is, so nothing is said about how long it has been so.
	if out := run(t, "why db -f "+unattended); !strings.Contains(out, "its status is at generation 1") || strings.Contains(out, "since:") {
		t.Errorf("without a time:\n%s", out)
	}
}
