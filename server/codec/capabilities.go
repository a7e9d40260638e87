package codec

import (
	"fmt"
	"maps"
	"slices"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// noCapabilities says what to send. Either guess would be wrong: with no capabilities the plan would be empty, and with all it
// would hold actions that the caller cannot execute.
const noCapabilities = "required: list the operations that you can execute; a caller that only reads plans lists every operation that it knows"

// decodeCapabilities ignores numbers that the engine does not know: they come from a newer adapter, and the engine plans
// nothing that needs them.
func decodeCapabilities(r *report, in []setplanv1.Capability) model.Capabilities {
	if len(in) == 0 {
		r.add("capabilities", noCapabilities)
		return 0
	}
	var out model.Capabilities
	for i, c := range in {
		switch {
		case c == setplanv1.Capability_CAPABILITY_UNSPECIFIED:
			r.add(fmt.Sprintf("capabilities[%d]", i), "must not be CAPABILITY_UNSPECIFIED")
		case c > 0 && c < 64:
			out |= 1 << c & model.AllCapabilities
		}
	}
	return out
}

// Capabilities lists what the engine can emit, in the contract's numbers, ascending.
func Capabilities() []setplanv1.Capability {
	var out []setplanv1.Capability
	for c := setplanv1.Capability(1); c < 64; c++ {
		if model.AllCapabilities&(1<<c) != 0 {
			out = append(out, c)
		}
	}
	return out
}

// Behaviors lists the behaviors that Decode accepts, ascending, without UNSPECIFIED.
func Behaviors() []setplanv1.Behavior {
	return slices.Sorted(maps.Keys(behaviors))[1:]
}
