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

// Setting is an annotation under our prefix that a set may have. Where our own kind has a field that means the same, Field is its path,
// and Form, Values and Help are what the definition of the kind and SPEC.md say of it.
type Setting struct {
	Annotation, Field string
	Form              Form
	Values            []string // the only ones of a Text; nil: any
	Help              string
}

// Form is what a field holds. The annotation holds the same as text.
type Form uint8

const (
	Text           Form = iota // an empty one counts as absent
	Count                      // a number of at least 1
	CountOrPercent             // or a percentage
	List                       // numbers and strings
)

// All are the settings. The definition of our own kind, "setplan convert" and tests follow it.
var All = [...]Setting{
	{Annotation: Repair},
	{Reserved, FieldReserved, List, nil, `Ordinals that the set must not use, such as "1" or "3-5". The set uses the first spec.replicas of the remaining ones.`},
	{Guard, "spec.scaleInGuard", Text, []string{"named"},
		"With named, a scale-down deletes only pods whose ordinals are reserved, and keeps all others."},
	{Pause, "spec.pause", Text, []string{"Updates", "HealOnly", "All"},
		"What is held back: updates (Updates), scale-downs too (HealOnly), or every write to pods and claims (All)."},
	{Rank, "spec.updateRank", Text, nil,
		"Which pods are updated last: those with the highest numbers in the label with this key, or the pod with this label, given as KEY=VALUE."},
	{ScaleUp, "spec.scaleUpLimit", CountOrPercent, nil,
		"How many pods of a Parallel set may be starting at once, that is, created and not ready yet: a number or a percentage of spec.replicas."},
	{Before, "spec.beforeUpdate", Text, nil,
		"Who approves the update of each pod, by setting the pod's annotation setplan.io/before-update to the name of the revision."},
	{After, "spec.afterUpdate", Text, nil,
		"Who approves after each updated pod that the update continues, by setting the pod's annotation setplan.io/after-update to the name of the revision."},
	{Budget, "spec.disruptionBudget", Text, []string{"Respect", "Ignore"},
		"With Respect, updates, recreations and scale-downs evict ready pods instead of deleting them, so that PodDisruptionBudgets apply; Ignore if unset."},
	{InPlace, "spec.inPlace", Text, []string{"Recreate", "InPlaceIfPossible", "InPlaceOnly"},
		"How pods are updated: recreated (Recreate), in place if the change allows it and recreated otherwise (InPlaceIfPossible), or never recreated (InPlaceOnly); Recreate if unset."},
	{Deferred, "spec.resizeDeferred", Text, nil,
		"What happens to a pod whose node has no room for its new resources now: Wait, Recreate, Keep, or a duration such as 10m after which it is recreated; Wait if unset."},
	{Infeasible, "spec.resizeInfeasible", Text, nil, "The same for a pod whose node can never provide its new resources; if unset, Wait under InPlaceOnly and Recreate otherwise."},
	{Annotation: ClaimTemplates},
	{ClaimPolicy, "spec.claimUpdatePolicy", Text, []string{"OnDelete", "InPlace", "InPlaceOrRecreate"},
		"Whether existing claims follow their templates, and whether a pod is recreated if its file system cannot grow otherwise; if unset, InPlace for templates that an annotation patches or adds, OnDelete for others."},
	{ClaimLimit, "spec.claimUpdateLimit", Count, nil, "How many claims may change at once after the first one has changed; 3 if unset."},
	{ClaimCooldown, "spec.claimUpdateCooldown", Text, nil, "How long to wait after a change of a claim before it is changed again, such as 6h."},
	{Annotation: DrainTemplate},
	{Annotation: DrainScaleUp},
	{Annotation: DrainMaxParallel},
	{Annotation: DrainLeftovers},
	{Annotation: DrainOnDelete},
	{Annotation: DrainAsk},
	{Annotation: DrainProof},
	{Annotation: "setplan.io/taken-over-at"}, // for adapters
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
