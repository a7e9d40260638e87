package cli_test

import (
	"strings"
	"testing"
)

// unattended is a set whose image was changed while no adapter ran.
const unattended = "testdata/unattended.yaml"

// TestNobodyActs: if nobody carries the plan out, that comes first, and nothing is described as if the plan had been carried out.
func TestNobodyActs(t *testing.T) {
	out := run(t, "why db -f "+unattended+" --at 2026-11-21T06:40:50Z")
	_, first, _ := strings.Cut(out, "\n")
	if want := "1. StatefulSet/db NOBODY_ACTS: No adapter seems to act on the set: its spec is at generation 2, but its status is at generation 1."; !strings.HasPrefix(first, want) {
		t.Errorf("the first reason is not %q:\n%s", want, out)
	}
	if strings.Contains(out, "unavailable") {
		t.Errorf("all pods are available, but the text says:\n%s", out)
	}
	for at, said := range map[string]bool{
		"--at 2026-11-21T06:40:02Z": false, // an adapter may be about to
		"--at 2026-11-21T06:40:50Z": true,
	} {
		if out := run(t, "why db -o json -f "+unattended+" "+at); strings.Contains(out, "NOBODY_ACTS") != said {
			t.Errorf("%s: %s", at, out)
		}
	}
	// The file's time is unknown, so nothing is said about how long this has lasted.
	if out := run(t, "why db -f "+unattended); !strings.Contains(out, "its status is at generation 1") || strings.Contains(out, "since:") {
		t.Errorf("without a time:\n%s", out)
	}
}
