package claimtemplate

import (
	"errors"
	"fmt"
	"strings"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/prose"
	"github.com/setplan/setplan/engine/state"
)

// blockAddedNotShown is about an adapter that does not know that claim templates are added.
func blockAddedNotShown(s *model.Set) model.Block {
	return state.About(s, model.BlockCapabilityMissing, model.Attention, fmt.Sprintf("The adapter does not report the claims of the claim templates that annotation %s adds or has added.", policy.ClaimTemplates)+claimsStay,
		"Use an adapter that supports it.")
}

// blockAddedStillAsked is about one that the set has added and that it adds no more.
func blockAddedStillAsked(s *model.Set, template string) model.Block {
	return state.About(s, model.BlockInvalidPolicy, model.Attention, fmt.Sprintf("Annotation %s no longer adds the claim template %s, but the pod template still has its volume. Until this is fixed, pods get the claim as their revision defines it.",
		policy.ClaimTemplates, prose.Short(template)), "Remove the volume from the pod template, or add the claim template to the annotation again.")
}

func blockInvalidClaimPolicy(s *model.Set, of policy.Asked, wanted string) model.Block {
	return state.About(s, model.BlockInvalidPolicy, model.Attention, state.MustBe(state.Subject(of), of.Text, wanted)+claimsStay, "Set it to "+wanted+", or remove it.")
}

func blockInvalidClaimTemplates(s *model.Set, err error) model.Block {
	return state.About(s, model.BlockInvalidPolicy, model.Attention, fmt.Sprintf("Annotation %s is invalid: %v.", policy.ClaimTemplates, err)+claimsStay,
		"Correct the annotation, or remove it.")
}

func blockPatchShrinks(s *model.Set, template, asks, own string) model.Block {
	return state.About(s, model.BlockClaimShrinks, model.Attention, fmt.Sprintf("Annotation %s requests %s for the claims of template %s, less than the %s in spec.volumeClaimTemplates.",
		policy.ClaimTemplates, prose.Short(asks), prose.Short(template), prose.Short(own))+claimsStay,
		"Request at least "+prose.Short(own)+", or remove the size from the annotation. To shrink a volume, copy its data to a new one.")
}

// blockStillMounted is about a claim template that is removed too early.
func blockStillMounted(s *model.Set, template string) model.Block {
	return state.About(s, model.BlockInvalidPolicy, model.Attention, fmt.Sprintf("Annotation %s removes the claim template %s, but the pod template still mounts its volume. Until this is fixed, the claim template stays.",
		policy.ClaimTemplates, prose.Short(template)), "Remove the mount from the pod template, or keep the claim template in the annotation.")
}

// claimsStay ends the sentence about a policy of claims that cannot be used.
const claimsStay = " Until this is fixed, claims stay as they are."

func BlockCoverageIncomplete(s *model.Set, missing []string) model.Block {
	return state.About(s, model.BlockCoverageIncomplete, model.Wait, "The list of "+strings.Join(missing, " and ")+" is incomplete, so nothing is created or deleted.", "")
}

func blockInvalidClaimTemplate(s *model.Set, i int, err error) model.Block {
	return state.About(s, model.BlockInvalidTemplate, model.Attention, fmt.Sprintf("spec.volumeClaimTemplates[%d] is invalid: %v.", i, err),
		fmt.Sprintf("Correct spec.volumeClaimTemplates[%d].", i))
}

func blockInvalidTemplate(s *model.Set, err error) model.Block {
	return state.About(s, model.BlockInvalidTemplate, model.Attention, fmt.Sprintf("spec.template is invalid: %v.", err), "Correct spec.template.")
}

func blockRefusedTemplate(s *model.Set) model.Block {
	return state.About(s, model.BlockInvalidTemplate, model.Attention, "The API server refuses the set's spec: "+prose.Answer(s.Refusal)+" Nothing is done until this is fixed.", "Correct spec.")
}

func blockRevisionUnusable(name string) model.Block {
	return model.Block{Code: model.BlockInvalidRevision, Severity: model.Attention, Kind: model.KindRevision, Name: name,
		Message: "Pods below the partition are created from this revision, but its data holds no valid template.",
		Remedy:  "Set the partition to 0 to create these pods from the update revision."}
}

func blockTooMuchSaid(revision string) model.Block {
	return model.Block{Code: model.BlockInvalidRevision, Severity: model.Attention, Kind: model.KindRevision, Name: revision,
		Message: "The revisions of this set's pods that mention claim templates have more than 3 MiB. The planner does not read more, so nothing is done.",
		Remedy:  "Such a revision usually has some KiB. Find out who has written these."}
}

var errNoName = errors.New("it has no metadata.name")

func errNameTwice(name string) error {
	return fmt.Errorf("the name %q is used twice", prose.Short(name))
}

func errDocument(problem string) error { return fmt.Errorf("%s", prose.Short(problem)) }

func errNoSuchTemplate(name string) error {
	return fmt.Errorf("spec.volumeClaimTemplates has no template %q", prose.Short(name))
}

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

func ErrNoPercentage(text string) error {
	return fmt.Errorf("%q is not a percentage", prose.Short(text))
}

const aClaimPolicy = "OnDelete, InPlace or InPlaceOrRecreate"

const aCooldown = "a duration of at most 720h, such as 6h"

const APositiveOne = "a number of at least 1"

func errLabel(key string) error {
	return fmt.Errorf("metadata.labels[%s] must be a string", strings.ToValidUTF8(prose.Short(key), "?"))
}

var errLabels = errors.New("metadata.labels must be an object")

var errLabelsDoNotMatch = errors.New("its labels do not match spec.selector")

var errMetadata = errors.New("metadata must be an object")

var errNoSpec = errors.New("it has no spec")
