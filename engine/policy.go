package engine

import (
	"slices"
	"strings"

	"github.com/setplan/setplan/engine/model"
)

// The annotations of a set that hold its policy; adapters send all of them unchanged.
const (
	annotationRepair   = "setplan.io/repair"
	annotationReserved = "setplan.io/reserved-ordinals"
	annotationGuard    = "setplan.io/scale-in-guard"
	annotationPause    = "setplan.io/pause"
	annotationRank     = "setplan.io/update-rank"
	annotationScaleUp  = "setplan.io/scale-up-limit"
	annotationBefore   = "setplan.io/before-update"
	annotationAfter    = "setplan.io/after-update"
	annotationBudget   = "setplan.io/disruption-budget"
	annotationInPlace  = "setplan.io/in-place"

	annotationDeferred   = "setplan.io/resize-deferred"
	annotationInfeasible = "setplan.io/resize-infeasible"

	annotationClaimTemplates = "setplan.io/claim-templates"
	annotationClaimPolicy    = "setplan.io/claim-update-policy"
	annotationClaimLimit     = "setplan.io/claim-update-limit"
	annotationClaimCooldown  = "setplan.io/claim-update-cooldown"

	policyTemplate    = "setplan.io/drain-pod-template"
	policyScaleUp     = "setplan.io/drain-scale-up"
	policyMaxParallel = "setplan.io/drain-max-parallel"
	policyLeftovers   = "setplan.io/drain-leftovers"
	policyOnDelete    = "setplan.io/drain-on-delete"
	policyAsk         = "setplan.io/drain-ask"
	policyProof       = "setplan.io/drain-proof"
)

// asked is a text of a set's policy, and the name of the annotation or the field that it is from.
type asked struct{ name, text string }

// byField reports whether it is a field.
func (a asked) byField() bool { return strings.HasPrefix(a.name, fieldPrefix) }

// annotationPrefix is that of our annotations.
const annotationPrefix = "setplan.io/"

// policies are the annotations under our prefix that a set may have, each with the field that means the same in a kind of our own, if there is one.
var policies = [...]struct{ annotation, field string }{
	{annotationRepair, ""},
	{annotationReserved, fieldReserved},
	{annotationGuard, "spec.scaleInGuard"},
	{annotationPause, "spec.pause"},
	{annotationRank, "spec.updateRank"},
	{annotationScaleUp, "spec.scaleUpLimit"},
	{annotationBefore, "spec.beforeUpdate"},
	{annotationAfter, "spec.afterUpdate"},
	{annotationBudget, "spec.disruptionBudget"},
	{annotationInPlace, "spec.inPlace"},
	{annotationDeferred, "spec.resizeDeferred"},
	{annotationInfeasible, "spec.resizeInfeasible"},
	{annotationClaimTemplates, ""},
	{annotationClaimPolicy, "spec.claimUpdatePolicy"},
	{annotationClaimLimit, "spec.claimUpdateLimit"},
	{annotationClaimCooldown, "spec.claimUpdateCooldown"},
	{policyTemplate, ""},
	{policyScaleUp, ""},
	{policyMaxParallel, ""},
	{policyLeftovers, ""},
	{policyOnDelete, ""},
	{policyAsk, ""},
	{policyProof, ""},
	{"setplan.io/taken-over-at", ""}, // for adapters
}

const (
	fieldPrefix   = "spec."
	fieldReserved = "spec.ordinals.reserved"
)

func isPolicy(annotation string) bool {
	for _, p := range policies {
		if p.annotation == annotation {
			return true
		}
	}
	return false
}

// SetAnnotations lists the annotations under "setplan.io/" that a set may have, sorted.
func SetAnnotations() []string {
	names := make([]string, len(policies))
	for i, p := range policies {
		names[i] = p.annotation
	}
	slices.Sort(names)
	return names
}

// updatedByHand reports whether outdated pods stay until somebody else deletes them.
func (v *view) updatedByHand() bool { return v.set.StrategyType == "OnDelete" }

// templateAnnotations are the names of the annotation with the drain template, ours first; the others are those of the drain controller and
// its documentation.
var templateAnnotations = [...]string{policyTemplate,
	"statefulsets.kubernetes.io/drainer-pod-template",
	"statefulsets.kubernetes.io/scaledown-pod-template",
}

// Documents lists the texts among a set's annotations that are read as JSON under this policy, by name of the annotation.
func Documents(p *model.Policy, annotations map[string]string) map[string]string {
	var texts map[string]string
	add := func(name, text string) {
		if texts == nil {
			texts = make(map[string]string, 2)
		}
		texts[name] = text
	}
	if p.Drain.PodTemplate == nil {
		if name, text, _ := templateIn(annotations); name != "" {
			add(name, text)
		}
	}
	if text := annotations[annotationClaimTemplates]; text != "" {
		add(annotationClaimTemplates, text)
	}
	return texts
}

// templateIn finds the drain template of a set. If several differ, the first name wins, and others names the rest.
func templateIn(annotations map[string]string) (name, text string, others []string) {
	if len(annotations) == 0 {
		return "", "", nil // as nearly always
	}
	for _, candidate := range templateAnnotations {
		switch found := strings.TrimSpace(annotations[candidate]); {
		case found == "" || found == text:
		case text == "":
			name, text = candidate, found
		default:
			others = append(others, candidate)
		}
	}
	return name, text, others
}
