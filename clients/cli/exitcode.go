package cli

import (
	"errors"

	"github.com/setplan/setplan/adapters"
)

// The exit codes of the program; 0 is success.
const (
	exitFailed    = 1
	exitAttention = 2 // why --exit-code found a set that needs attention
)

// needed is the result of why --exit-code if sets wait for somebody to act.
type needed struct{ sets []adapters.Key }

func (n *needed) Error() string { return "action is needed for " + list(n.sets) }

// ExitCode returns the exit code for a command's error.
func ExitCode(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.As(err, new(*needed)):
		return exitAttention
	default:
		return exitFailed
	}
}
