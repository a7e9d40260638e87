package engine

import (
	"strings"
)

// readUnknown looks for unknown annotations under our prefix: a typo, or a feature of a later release. Either may protect what this
// planner would delete.
func readUnknown(v *view, out *draft) (unsure bool) {
	var unknown []string
	for name := range v.set.Annotations {
		if strings.HasPrefix(name, annotationPrefix) && !isPolicy(name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return false
	}
	sortList(unknown, strings.Compare)
	out.block(blockUnknownAnnotations(v.set, unknown))
	return true
}
