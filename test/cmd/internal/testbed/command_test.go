package testbed

import (
	"flag"
	"testing"
)

// TestFlags: both flags have their defaults, others can be added, and invalid values are refused.
func TestFlags(t *testing.T) {
	check := false
	c := &Command{Name: "x", Runs: 3, Register: func(set *flag.FlagSet) { set.BoolVar(&check, "check", false, "") }}
	if choice, err := c.parse(nil); err != nil || choice.Runs != 3 || check || !choice.Picks("anything") {
		t.Errorf("defaults: %+v, %v", choice, err)
	}
	if choice, err := c.parse([]string{"-check", "-runs", "1", "-only", "^a"}); err != nil || choice.Runs != 1 || !check || choice.Picks("ba") {
		t.Errorf("all of them: %+v, %v", choice, err)
	}
	for _, args := range [][]string{{"-runs", "0"}, {"-only", "("}, {"more"}, {"-what"}} {
		if _, err := c.parse(args); err == nil {
			t.Errorf("%v was accepted", args)
		}
	}
}
