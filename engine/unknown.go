package engine

import (
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
	out.block(blockUnknownAnnotations(v.set, unknown))
	return true
}
