package adapters

import (
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// AnnotationRepair is the annotation of a set that says which of its pods are repaired. Its text is sent unread: what it
// means, and what becomes of one that means nothing, is the planner's business.
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

// HasDrain tells whether a set's annotations ask for drains.
func HasDrain(annotations map[string]string) bool {
	for _, name := range drainTemplates {
		if strings.TrimSpace(annotations[name]) != "" {
			return true
		}
	}
	return false
}

// drainOf reads the policy of a set off its annotations; nil where there is none. Values are not checked: the planner
// says what is wrong with them. Of two different templates the first name counts, and the policy tells about the other.
func drainOf(annotations map[string]string, toJSON func(string) []byte) *setplanv1.Drain {
	drain := &setplanv1.Drain{
		ScaleUp:     annotations[AnnotationDrainScaleUp],
		MaxParallel: annotations[AnnotationDrainMaxParallel],
		Leftovers:   annotations[AnnotationDrainLeftovers],
		OnDelete:    annotations[AnnotationDrainOnDelete],
		Ask:         annotations[AnnotationDrainAsk],
		Proof:       annotations[AnnotationDrainProof],
	}
	found := ""
	for _, name := range drainTemplates {
		text := strings.TrimSpace(annotations[name])
		switch {
		case text == "" || text == found:
		case found == "":
			found, drain.TemplateSource, drain.PodTemplate = text, name, toJSON(text)
		default:
			drain.OtherSources = append(drain.OtherSources, name)
		}
	}
	if found == "" && drain.Ask == "" {
		return nil // the other values say how to drain, and there is nothing to drain with
	}
	return drain
}
