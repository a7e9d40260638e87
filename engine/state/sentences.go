package state

import (
	"errors"
	"fmt"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/prose"
)

// docs/blocks.md explains each block.

// About is a block about the set itself.
func About(s *model.Set, code model.BlockCode, severity model.Severity, message, remedy string) model.Block {
	return model.Block{Code: code, Severity: severity, Kind: s.Kind, Name: s.Name, Message: message, Remedy: remedy}
}

func BlockSetDeleting(s *model.Set) model.Block {
	b := About(s, model.BlockSetDeleting, model.Wait, "The set is being deleted. The garbage collector handles its pods; Setplan creates and deletes none.", "")
	b.Since = s.DeletedAt
	return b
}

// The blocks of what exceeds a bound.

func blockTooManyClaimTemplates(s *model.Set) model.Block {
	return blockTooMany(s, "spec.volumeClaimTemplates", len(s.ClaimTemplates), "template", mostClaimTemplates)
}

func blockTooManyRequirements(s *model.Set, n int) model.Block {
	return blockTooMany(s, "spec.selector", n, "requirement", mostRequirements)
}

func blockTooManyValues(s *model.Set, n int) model.Block {
	return blockTooMany(s, "spec.selector.matchExpressions", n, "value", mostRequiredValues)
}

func blockTooMany(s *model.Set, where string, n int, what string, most int) model.Block {
	return About(s, model.BlockInvalidSpec, model.Attention, fmt.Sprintf("%s has %s; at most %d are supported. Nothing is done until this is fixed.", where, prose.Plural(n, what), most),
		fmt.Sprintf("Reduce them to at most %d.", most))
}

func blockPodNotAvailable(v *View, p *model.Pod) model.Block {
	b := Waiting(model.BlockPodNotAvailable, p, p.ReadyChangedAt,
		fmt.Sprintf("The pod is ready and becomes available after minReadySeconds (%d).", v.Set.MinReadySeconds), "")
	if at, ok := v.AvailableAt(p); ok {
		b.NotBefore = at
	}
	return b
}

// Waiting is a block about a pod that the set waits for.
func Waiting(code model.BlockCode, p *model.Pod, since time.Time, message, remedy string) model.Block {
	return model.Block{Code: code, Severity: model.Wait, Kind: model.KindPod, Name: p.Name, Since: since, Message: message, Remedy: remedy}
}

// The blocks about which ordinals a set has, and about what is paused.

func blockInvalidGuard(s *model.Set, of policy.Asked) model.Block {
	return About(s, model.BlockInvalidPolicy, model.Attention, MustBe(Subject(of), of.Text, "named")+" Until this is fixed, named applies.",
		"Set it to named, or remove it.")
}

func blockInvalidPause(s *model.Set, of policy.Asked) model.Block {
	return About(s, model.BlockInvalidPolicy, model.Attention, MustBe(Subject(of), of.Text, "Updates, HealOnly or All")+" Until this is fixed, HealOnly applies.",
		"Set it to Updates, HealOnly or All, or remove it.")
}

func blockInvalidOwnFields(s *model.Set, err error) model.Block {
	return About(s, model.BlockInvalidPolicy, model.Attention, fmt.Sprintf("The fields of spec beyond those of apps/v1 cannot be read: %v. Nothing is done until this is fixed.", err), "")
}

// blockDisagree is about a field and an annotation of the same meaning.
func blockDisagree(s *model.Set, a, b policy.Asked) model.Block {
	return About(s, model.BlockInvalidPolicy, model.Attention,
		fmt.Sprintf("%s is %q, and %s is %q. Nothing is done until they agree.", a.Name, prose.Short(a.Text), ObjectOf(b), prose.Short(b.Text)), "Remove one of them.")
}

// Subject begins a sentence with what a policy is from; ObjectOf is for the middle of one.
func Subject(of policy.Asked) string {
	if of.ByField() {
		return of.Name
	}
	return "Annotation " + of.Name
}

func ObjectOf(of policy.Asked) string {
	if of.ByField() {
		return of.Name
	}
	return "the annotation " + of.Name
}

// What is wrong with a selector, a template or a value, as blocks quote it. Each follows "<field> is invalid: ".

// With a selector.

var errEmptySelector = errors.New("it is empty")

func errNoValues(e *model.Requirement) error {
	return fmt.Errorf("operator %s needs values for key %q", e.Operator, prose.Short(e.Key))
}

func errValues(e *model.Requirement) error {
	return fmt.Errorf("operator %s takes no values, but key %q has some", e.Operator, prose.Short(e.Key))
}

func errOperator(e *model.Requirement) error {
	return fmt.Errorf("operator %q of key %q must be In, NotIn, Exists or DoesNotExist", prose.Short(e.Operator), prose.Short(e.Key))
}

// With a pod template.

var ErrNoObject = errors.New("it must be an object")

// With a claim template.

// With an annotation of claim templates.

// With a claim template that a set adds.

// With a patch of claim templates.

// With a value.

// MustBe says what a field has to be.
func MustBe(field, value, wanted string) string {
	return fmt.Sprintf("%s is %q; it must be %s.", field, prose.Short(value), wanted)
}

// Who controls a pod that has one of the set's names.

const nobodyControlsIt = "it has no controller"

const labelsDoNotMatchSet = "its labels do not match the selector"

// controlsThePod follows whoever does.
const controlsThePod = " controls it"

func controlsIt(c *model.Owner) string {
	return prose.Short(c.Kind) + " " + prose.Short(c.Name) + controlsThePod
}

// NamesakeOf names an object by its kind with the group, since the set's own name is the same.
func NamesakeOf(o *model.Owner) string {
	return prose.Short(o.Kind) + " " + prose.Short(o.Name) + " (" + prose.Short(o.APIVersion) + ")"
}

func earlierControlsIt(c *model.Owner) string { return "an earlier " + controlsIt(c) }

// The sentences of causes are here and in drain/sentences.go, apart from the steps that plan the actions.

// BlockPodNameTaken is for a name that a stranger bears. One that is going makes room by itself, and so does one of an earlier set:
// that set is gone, since this one has its name. A namesake's pod would only be recreated.
func BlockPodNameTaken(p *model.Pod, whose string, earlier *model.Owner, namesakes bool) model.Block {
	b := model.Block{Code: model.BlockPodNameTaken, Severity: model.Attention, Kind: model.KindPod, Name: p.Name, Since: p.CreatedAt,
		Message: "A pod with this name exists and does not belong to the set: " + whose + ".",
		Remedy:  "Delete that pod, or give it labels that match the selector and no other controller, so that the set adopts it."}
	switch {
	case p.Terminating():
		b.Severity, b.Since, b.Remedy = model.Wait, p.LeavingSince, WhyItStays
		b.Message += " It is being deleted; the set's own pod is created once it is gone."
	case earlier != nil:
		b.Severity = model.Wait
		b.Message += " That set is gone, and the garbage collector deletes its pods."
		b.Remedy = "If it stays, delete that pod, or remove its owner reference to the earlier " + prose.Short(earlier.Kind) + " so that the set adopts it."
	case namesakes:
		b.Remedy = DeleteOneSet
	}
	return b
}

// DeleteOneSet is the remedy for two sets of one name.
const DeleteOneSet = "Delete the one that you do not want; with --cascade=orphan its pods are kept for the other one. To move a set to another kind, use setplan convert."

// UntilFixed ends the sentence about a policy that cannot be used.
const UntilFixed = " Until this is fixed, nothing is scaled down or drained."

// WhyItStays is the remedy for a pod that does not go.
const WhyItStays = "If it stays, check its finalizers and its node. A pod on a lost node stays until the node object is deleted, which is safe only if the machine is off and stays off."
