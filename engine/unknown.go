package engine

import (
	"fmt"
	"slices"
	"strings"
)

// annotationPrefix is that of our annotations.
const annotationPrefix = "setplan.io/"

// setAnnotations are the annotations under our prefix that a set may have. The last is for adapters, and says nothing here.
var setAnnotations = [...]string{annotationRepair,
	policyTemplate, policyScaleUp, policyMaxParallel, policyLeftovers, policyOnDelete, policyAsk, policyProof,
	"setplan.io/taken-over-at",
}

// SetAnnotations lists the annotations under "setplan.io/" that a set may have, sorted.
func SetAnnotations() []string { return slices.Sorted(slices.Values(setAnnotations[:])) }

// maxNamed is how many unknown annotations a block names.
const maxNamed = 3

// readUnknown looks for annotations under our prefix that mean nothing here: a slip of the pen, or something of a later
// release. It may be there to keep what this planner would delete.
func readUnknown(v *view, out *draft) (unsure bool) {
	v.meter.work(partAnnotations, len(v.set.Annotations))
	var unknown []string
	turn := 0
	for name := range v.set.Annotations {
		turn++
		v.meter.pause(turn)
		if strings.HasPrefix(name, annotationPrefix) && !slices.Contains(setAnnotations[:], name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return false
	}
	sortList(v.meter, partAnnotations, unknown, strings.Compare)
	named := make([]string, min(len(unknown), maxNamed))
	for i := range named {
		named[i] = short(unknown[i])
	}
	which, mean := "Annotation "+named[0], "means"
	if len(unknown) > 1 {
		which, mean = "Annotations "+strings.Join(named, ", "), "mean"
	}
	if more := len(unknown) - len(named); more > 0 {
		which += " and " + moreOf(more, "annotation")
	}
	out.attention(BlockInvalidPolicy, fmt.Sprintf("%s %s nothing to this planner, so what it would delete may be what somebody wants to keep.", which, mean)+untilMended,
		"Correct the name, remove the annotation, or take the planner of a release that knows it.")
	return true
}
