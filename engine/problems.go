package engine

import (
	"errors"
	"fmt"
	"strings"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

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

var (
	errNoObject         = errors.New("it must be an object")
	errNoSpec           = errors.New("it has no spec")
	errMetadata         = errors.New("metadata must be an object")
	errAnnotations      = errors.New("metadata.annotations must be an object")
	errLabels           = errors.New("metadata.labels must be an object")
	errLabelsDoNotMatch = errors.New("its labels do not match spec.selector")
	errNoContainers     = errors.New("it has no spec.containers")
	errLooksLikeReplica = errors.New("its labels match spec.selector, so the drain pod would be mistaken for a replica")
)

func errLabel(key string) error {
	return fmt.Errorf("metadata.labels[%s] must be a string", strings.ToValidUTF8(prose.Short(key), "?"))
}

func errLongLabel(key, text string) error {
	return fmt.Errorf("metadata.labels[%s] has %s, and the API server takes at most %d", strings.ToValidUTF8(prose.Short(key), "?"), prose.Plural(len(text), "character"), longestLabel)
}

func errRestartPolicy(policy string) error {
	return fmt.Errorf("spec.restartPolicy is %q; it must be OnFailure or Never, because a drain pod must run to completion", prose.Short(policy))
}

// With a claim template.

var errNoName = errors.New("it has no metadata.name")

func errNameTwice(name string) error {
	return fmt.Errorf("the name %q is used twice", prose.Short(name))
}

// With an annotation of claim templates.

func errDocument(problem string) error { return fmt.Errorf("%s", prose.Short(problem)) }

func errNoSuchTemplate(name string) error {
	return fmt.Errorf("spec.volumeClaimTemplates has no template %q", prose.Short(name))
}

// With a claim template that a set adds.

var errTooManyAdded = fmt.Errorf("it adds more than %d claim templates", maxAdded)

// notInSpec begins with a name that no template of the spec has: it may be misspelled, or belong to a template that is to be added.
const notInSpec = "spec.volumeClaimTemplates has no template %q"

func errNoVolumeName(name string) error {
	return fmt.Errorf(notInSpec+", and none of this name can be added, because it is not a valid volume name", prose.Short(name))
}

func errIncomplete(template, field string) error {
	return fmt.Errorf(notInSpec+", and to add one, the annotation must set %s", prose.Short(template), prose.Short(field))
}

func errNotAddable(template, field string) error {
	return fmt.Errorf(notInSpec+", and one that is added cannot have this %s", prose.Short(template), prose.Short(field))
}

// With a patch of claim templates.

func errNotPatchable(template, field string) error {
	return fmt.Errorf("%s of template %q cannot be changed in an existing claim", prose.Short(field), prose.Short(template))
}

func errNotLabel(template, field string) error {
	return fmt.Errorf("%s of template %q is not a valid label or annotation", prose.Short(field), prose.Short(template))
}

func errNoObjectAt(template, path string) error {
	return fmt.Errorf("%s of template %q must be an object", strings.TrimPrefix(path, "."), prose.Short(template))
}

func errTooBig(template, field string) error {
	return fmt.Errorf("%s of template %q has more than %d values or is nested more than %d levels deep", field, prose.Short(template), mostInside, deepestInside)
}

func errNoText(template, field string) error {
	return fmt.Errorf("%s of template %q must be a string", prose.Short(field), prose.Short(template))
}

func errLongClass(template, class string) error {
	return fmt.Errorf("spec.volumeAttributesClassName of template %q has %s, and the API server takes at most %d", prose.Short(template), prose.Plural(len(class), "character"), longestName)
}

func errNoQuantity(template, text string) error {
	return fmt.Errorf("spec.resources.requests.storage of template %q is %q; it must be a string with a quantity, such as 20Gi", prose.Short(template), prose.Short(text))
}

// With a value.

func errNoPercentage(text string) error {
	return fmt.Errorf("%q is not a percentage", prose.Short(text))
}

// mustBe says what a field has to be.
func mustBe(field, value, wanted string) string {
	return fmt.Sprintf("%s is %q; it must be %s.", field, prose.Short(value), wanted)
}

// What a field may be.
const (
	anOrder       = "OrderedReady or Parallel"
	aStrategy     = "RollingUpdate or OnDelete"
	aBudgetPolicy = "Respect or Ignore"
	aRank         = "the key of a label whose values are numbers, or the leader's label as KEY=VALUE"
	aShare        = "a number of pods (at least 1) or a percentage"
	aRetention    = "Retain or Delete"
	aTruthValue   = "true or false"
	aScaleUp      = "Finish or Cancel"
	aProof        = "Token"
	aPositiveOne  = "a number of at least 1"
	aClaimPolicy  = "OnDelete, InPlace or InPlaceOrRecreate"
	aCooldown     = "a duration of at most 720h, such as 6h"
)

func numberUpTo(most int) string { return fmt.Sprintf("a number up to %d", most) }

// Who controls a pod that has one of the set's names.

const (
	nobodyControlsIt    = "it has no controller"
	labelsDoNotMatchSet = "its labels do not match the selector"
)

// controlsThePod follows whoever does.
const controlsThePod = " controls it"

func controlsIt(c *model.Owner) string {
	return prose.Short(c.Kind) + " " + prose.Short(c.Name) + controlsThePod
}

// namesakeOf names an object by its kind with the group, since the set's own name is the same.
func namesakeOf(o *model.Owner) string {
	return prose.Short(o.Kind) + " " + prose.Short(o.Name) + " (" + prose.Short(o.APIVersion) + ")"
}

func earlierControlsIt(c *model.Owner) string { return "an earlier " + controlsIt(c) }
