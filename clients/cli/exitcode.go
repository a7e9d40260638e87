package cli

import (
	"errors"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/show"
)

// The exit codes of the program; 0 is success.
const (
	exitFailed    = 1
	exitAttention = 2 // why --exit-code found a set that needs attention; those of forecast are in package show
	exitDiffering = 2 // compare found that the planner would have done something differently, as diff does
	exitDisrupted = 5 // forecast --old-planner-address: the newer planner deletes what the old one leaves
)

// needed is the result of why --exit-code if sets wait for somebody to act.
type needed struct{ sets []adapters.Key }

func (n *needed) Error() string { return "action is needed for " + list(n.sets) }

// ExitCode returns the exit code for a command's error.
func ExitCode(err error) int {
	var found *foreseen
	switch {
	case err == nil:
		return 0
	case errors.As(err, new(*needed)):
		return exitAttention
	case errors.As(err, new(*differing)):
		return exitDiffering
	case errors.As(err, new(*disrupted)):
		return exitDisrupted
	case errors.As(err, &found):
		return found.code
	default:
		return exitFailed
	}
}

// foreseen is the result of forecast --exit-code if the rollout is more than nothing.
type foreseen struct {
	set  adapters.Key
	code int
}

func (f *foreseen) Error() string { return show.ForecastWord(f.code) + ": " + f.set.String() }
