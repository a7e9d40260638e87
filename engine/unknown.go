package engine

import (
	"strings"

	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// readUnknown looks for unknown annotations under our prefix: a typo, or a feature of a later release. Either may protect what this
// planner would delete.
func readUnknown(v *view, out *state.Draft) (unsure bool) {
	var unknown []string
	for name := range v.Set.Annotations {
		if strings.HasPrefix(name, policy.Prefix) && !policy.Is(name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return false
	}
	plan.Sort(unknown, strings.Compare)
	out.Block(blockUnknownAnnotations(v.Set, unknown))
	return true
}
