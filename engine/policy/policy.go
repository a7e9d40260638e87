package policy

import (
	"slices"
	"strings"

	"github.com/setplan/setplan/engine/model"
)

// The annotations of a set that hold its policy; adapters send all of them unchanged.
const (
	Repair   = "setplan.io/repair"
	Reserved = "setplan.io/reserved-ordinals"
	Guard    = "setplan.io/scale-in-guard"
	Pause    = "setplan.io/pause"
	Rank     = "setplan.io/update-rank"
	ScaleUp  = "setplan.io/scale-up-limit"
	Before   = "setplan.io/before-update"
	After    = "setplan.io/after-update"
	Budget   = "setplan.io/disruption-budget"
	InPlace  = "setplan.io/in-place"

	Deferred   = "setplan.io/resize-deferred"
	Infeasible = "setplan.io/resize-infeasible"

	ClaimTemplates = "setplan.io/claim-templates"
	ClaimPolicy    = "setplan.io/claim-update-policy"
	ClaimLimit     = "setplan.io/claim-update-limit"
	ClaimCooldown  = "setplan.io/claim-update-cooldown"

	DrainTemplate    = "setplan.io/drain-pod-template"
	DrainScaleUp     = "setplan.io/drain-scale-up"
	DrainMaxParallel = "setplan.io/drain-max-parallel"
	DrainLeftovers   = "setplan.io/drain-leftovers"
	DrainOnDelete    = "setplan.io/drain-on-delete"
	DrainAsk         = "setplan.io/drain-ask"
	DrainProof       = "setplan.io/drain-proof"
)

// Asked is a text of a set's policy, and the name of the annotation or the field that it is from.
type Asked struct{ Name, Text string }

// ByField reports whether it is a field.
func (a Asked) ByField() bool { return strings.HasPrefix(a.Name, FieldPrefix) }

// Prefix is that of our annotations.
const Prefix = "setplan.io/"

// Setting is an annotation under our prefix that a set may have, with the field that means the same in a kind of our own; "": there is none.
type Setting struct{ Annotation, Field string }

// All are the settings.
var All = [...]Setting{
	{Repair, ""},
	{Reserved, FieldReserved},
	{Guard, "spec.scaleInGuard"},
	{Pause, "spec.pause"},
	{Rank, "spec.updateRank"},
	{ScaleUp, "spec.scaleUpLimit"},
	{Before, "spec.beforeUpdate"},
	{After, "spec.afterUpdate"},
	{Budget, "spec.disruptionBudget"},
	{InPlace, "spec.inPlace"},
	{Deferred, "spec.resizeDeferred"},
	{Infeasible, "spec.resizeInfeasible"},
	{ClaimTemplates, ""},
	{ClaimPolicy, "spec.claimUpdatePolicy"},
	{ClaimLimit, "spec.claimUpdateLimit"},
	{ClaimCooldown, "spec.claimUpdateCooldown"},
	{DrainTemplate, ""},
	{DrainScaleUp, ""},
	{DrainMaxParallel, ""},
	{DrainLeftovers, ""},
	{DrainOnDelete, ""},
	{DrainAsk, ""},
	{DrainProof, ""},
	{"setplan.io/taken-over-at", ""}, // for adapters
}

const (
	FieldPrefix   = "spec."
	FieldReserved = "spec.ordinals.reserved"
)

// Is reports whether a set may have an annotation of this name.
func Is(annotation string) bool {
	for _, p := range All {
		if p.Annotation == annotation {
			return true
		}
	}
	return false
}

// Annotations lists the annotations under "setplan.io/" that a set may have, sorted.
func Annotations() []string {
	names := make([]string, len(All))
	for i, p := range All {
		names[i] = p.Annotation
	}
	slices.Sort(names)
	return names
}

// templateAnnotations are the names of the annotation with the drain template, ours first; the others are those of the drain controller and
// its documentation.
var templateAnnotations = [...]string{DrainTemplate,
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
		if name, text, _ := DrainTemplateIn(annotations); name != "" {
			add(name, text)
		}
	}
	if text := annotations[ClaimTemplates]; text != "" {
		add(ClaimTemplates, text)
	}
	return texts
}

// DrainTemplateIn finds the drain template of a set. If several differ, the first name wins, and others names the rest.
func DrainTemplateIn(annotations map[string]string) (name, text string, others []string) {
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
