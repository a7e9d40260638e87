package forecast

import "strconv"

var verdictNames = [...]string{"UNSPECIFIED", "CONVERGED", "BLOCKED_FOR_EVER", "UNDECIDED"}

func (v Verdict) String() string { return nameOf(verdictNames[:], int32(v)) }

var eventNames = [...]string{"UNSPECIFIED", "STARTED", "READY", "AVAILABLE", "GONE", "BOUND", "DRAINED", "ANSWERED", "COLLECTED", "DISOWNED"}

func (k EventKind) String() string { return nameOf(eventNames[:], int32(k)) }

// nameOf is a value's name, and its number where it has none.
func nameOf(names []string, value int32) string {
	if value < 0 || int(value) >= len(names) {
		return strconv.Itoa(int(value))
	}
	return names[value]
}
