package adapters

import "strings"

// Annotations of sets are sent as they are: what one means, and what becomes of a value that means nothing, is the planner's
// business. The names are here for programs that write them, and for HasDrain.

// AnnotationRepair is the annotation of a set that says which of its pods are repaired.
const AnnotationRepair = "setplan.io/repair"

// The annotations of a set that make its drain policy.
const (
	AnnotationDrainTemplate    = "setplan.io/drain-pod-template"
	AnnotationDrainScaleUp     = "setplan.io/drain-scale-up"
	AnnotationDrainMaxParallel = "setplan.io/drain-max-parallel"
	AnnotationDrainLeftovers   = "setplan.io/drain-leftovers"
	AnnotationDrainOnDelete    = "setplan.io/drain-on-delete"
	AnnotationDrainAsk         = "setplan.io/drain-ask"
	AnnotationDrainProof       = "setplan.io/drain-proof"
)

// drainTemplates are the names under which a template is found, ours first; the others are those of the drain controller
// and of what was written about it.
var drainTemplates = []string{
	AnnotationDrainTemplate,
	"statefulsets.kubernetes.io/drainer-pod-template",
	"statefulsets.kubernetes.io/scaledown-pod-template",
}

// The annotations that a drain leaves on pods and claims; snapshots carry them.
const (
	AnnotationDrainSet      = "setplan.io/drain-set"
	AnnotationDrainClaims   = "setplan.io/drain-claims"
	AnnotationDrainAttempts = "setplan.io/drain-attempts"
	AnnotationDrainBegun    = "setplan.io/drain-begun"
	AnnotationDrainRequest  = "setplan.io/drain-request"
	AnnotationDrainAnswer   = "setplan.io/drain-answer"
)

// DrainTokenVariable is the environment variable by which a drain pod's container was given a token. Snapshots carry the
// termination messages of containers that have it.
const DrainTokenVariable = "SETPLAN_DRAIN_TOKEN"

// HasDrain reports whether a set's annotations ask for drains, which take rights that an adapter has not everywhere.
func HasDrain(annotations map[string]string) bool {
	for _, name := range drainTemplates {
		if strings.TrimSpace(annotations[name]) != "" {
			return true
		}
	}
	return false
}
