package engine

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

// The sentences of blocks are here and in blocks_*.go, apart from the steps that add them; docs/blocks.md explains each block.

// about is a block about the set itself.
func about(s *model.Set, code model.BlockCode, severity model.Severity, message, remedy string) model.Block {
	return model.Block{Code: code, Severity: severity, Kind: s.Kind, Name: s.Name, Message: message, Remedy: remedy}
}

func blockCoverageIncomplete(s *model.Set, missing []string) model.Block {
	return about(s, model.BlockCoverageIncomplete, model.Wait, "The list of "+strings.Join(missing, " and ")+" is incomplete, so nothing is created or deleted.", "")
}

func blockSetDeleting(s *model.Set) model.Block {
	b := about(s, model.BlockSetDeleting, model.Wait, "The set is being deleted. The garbage collector handles its pods; Setplan creates and deletes none.", "")
	b.Since = s.DeletedAt
	return b
}

func blockInvalidSelector(s *model.Set, err error) model.Block {
	return about(s, model.BlockInvalidSelector, model.Attention, fmt.Sprintf("spec.selector is invalid: %v.", err),
		"Recreate the set with a selector that matches the labels of its pod template.")
}

func blockInvalidSpec(s *model.Set, field, value, wanted string) model.Block {
	return about(s, model.BlockInvalidSpec, model.Attention, mustBe(field, value, wanted),
		"Set "+field+" to "+wanted+".")
}

func blockLastOrdinal(s *model.Set, last int64) model.Block {
	return about(s, model.BlockInvalidSpec, model.Attention,
		fmt.Sprintf("spec.ordinals.start is %d, so the last ordinal would be %d, above the largest possible one, %d.", s.OrdinalsStart, last, math.MaxInt32),
		"Lower spec.ordinals.start or spec.replicas.")
}

// The blocks of what no pod can have: see limits.go. The name of a set never changes.

func blockNameHasDots(s *model.Set) model.Block {
	return about(s, model.BlockInvalidSpec, model.Attention, "The set cannot have pods: their host names would begin with "+prose.Short(s.Name)+", and no host name has a dot.",
		"Create the set under a name without dots instead.")
}

func blockNoSubdomain(s *model.Set) model.Block {
	return about(s, model.BlockInvalidSpec, model.Attention, fmt.Sprintf("The set cannot have pods: spec.serviceName becomes their subdomain, and %s.", notDNSLabel(s.ServiceName)),
		"Create the set again with the name of a service.")
}

func blockNoVolume(s *model.Set, template string) model.Block {
	return about(s, model.BlockInvalidSpec, model.Attention, fmt.Sprintf("The set cannot have pods: a claim template's name becomes that of a volume, and %s.", notDNSLabel(template)),
		"Create the set again with another name for the claim template.")
}

func notDNSLabel(text string) string {
	return fmt.Sprintf("%q cannot be one: it has %s, and at most %d of a-z, 0-9 and - are allowed", prose.Short(text), prose.Plural(len(text), "character"), longestLabel)
}

// blockLongPodName is about the last pod of the range.
func blockLongPodName(s *model.Set, last string) model.Block {
	remedy := "Lower spec.replicas or spec.ordinals.start."
	if len(s.PodName(0)) > longestLabel {
		remedy = "Create the set under a name of at most " + strconv.Itoa(safeName) + " characters instead."
	}
	return about(s, model.BlockInvalidSpec, model.Attention,
		fmt.Sprintf("Pod %s cannot exist: its name has %d characters, and its host name and its label %s may have at most %d. No pod outside the range is deleted.",
			last, len(last), model.LabelPodName, longestLabel),
		remedy)
}

func blockCrowdedClaim(s *model.Set, template string, size int) model.Block {
	return about(s, model.BlockInvalidSpec, model.Attention, fmt.Sprintf("The set cannot have pods: claims of template %s cannot exist, because %s.", prose.Short(template), tooManyAnnotations(size)),
		"Remove annotations from the claim template.")
}

func tooManyAnnotations(size int) string {
	return fmt.Sprintf("the annotations have %d bytes, and an object may have at most %d", size, mostAnnotations)
}

func tooLarge(size int) string {
	return fmt.Sprintf("it has %d bytes, and an object may have at most %d", size, mostStored)
}

// blockExcluded is about a revision that no pod can have. stays is the one that the pods stay at; "": they have none.
func (v *view) blockExcluded(revision, stays string) model.Block {
	why := v.excess[revision]
	if why == "" {
		return blockLongRevision(v.set, revision, stays)
	}
	message, remedy := "No pod can have revision "+revision+": "+why+".", "Make spec.template smaller."
	if stays != "" {
		message += " The pods stay at " + stays + "."
	}
	return about(v.set, model.BlockInvalidSpec, model.Attention, message, remedy)
}

// blockLongRevision is about a revision that no pod can have. stays is the one that the pods stay at; "": they have none.
func blockLongRevision(s *model.Set, revision, stays string) model.Block {
	message := "No pod can have revision " + revision + ": its name has " + strconv.Itoa(len(revision)) + " characters, and the label " + model.LabelRevision +
		" that holds it may have at most " + strconv.Itoa(longestLabel) + "."
	remedy := "Create the set under a name of at most " + strconv.Itoa(safeName) + " characters instead; this one has " + strconv.Itoa(len(s.Name)) + "."
	if stays != "" {
		message += " The pods stay at " + stays + "."
		remedy = "Restore the template of " + stays + ". To run another one, create the set under a name of at most " + strconv.Itoa(safeName) + " characters."
	}
	return about(s, model.BlockInvalidSpec, model.Attention, message, remedy)
}

func blockMaxUnavailable(s *model.Set, err error) model.Block {
	return about(s, model.BlockInvalidSpec, model.Attention, fmt.Sprintf("spec.updateStrategy.rollingUpdate.maxUnavailable is invalid: %v.", err),
		"Set it to a number of at least 1 or a percentage such as 25%.")
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
	return about(s, model.BlockInvalidSpec, model.Attention, fmt.Sprintf("%s has %s; at most %d are supported. Nothing is done until this is fixed.", where, prose.Plural(n, what), most),
		fmt.Sprintf("Reduce them to at most %d.", most))
}

func blockInvalidTemplate(s *model.Set, err error) model.Block {
	return about(s, model.BlockInvalidTemplate, model.Attention, fmt.Sprintf("spec.template is invalid: %v.", err), "Correct spec.template.")
}

func blockRefusedTemplate(s *model.Set) model.Block {
	return about(s, model.BlockInvalidTemplate, model.Attention, "The API server refuses the set's spec: "+prose.Answer(s.Refusal)+" Nothing is done until this is fixed.", "Correct spec.")
}

func blockInvalidClaimTemplate(s *model.Set, i int, err error) model.Block {
	return about(s, model.BlockInvalidTemplate, model.Attention, fmt.Sprintf("spec.volumeClaimTemplates[%d] is invalid: %v.", i, err),
		fmt.Sprintf("Correct spec.volumeClaimTemplates[%d].", i))
}

// blockUnknownAnnotations names the first of the unknown annotations.
func blockUnknownAnnotations(s *model.Set, unknown []string) model.Block {
	named := make([]string, min(len(unknown), maxNamed))
	for i := range named {
		named[i] = prose.Short(unknown[i])
	}
	which := "Annotation " + named[0] + " is"
	if len(unknown) > 1 {
		which = "Annotations " + strings.Join(named, ", ")
		if more := len(unknown) - len(named); more > 0 {
			which += " and " + prose.MoreOf(more, "annotation")
		}
		which += " are"
	}
	return about(s, model.BlockInvalidPolicy, model.Attention,
		which+" unknown to this planner and may protect what it would delete."+untilFixed,
		"Correct the name, remove the annotation, or use a planner release that knows it.")
}

// maxNamed is how many unknown annotations a block names.
const maxNamed = 3

func blockInvalidRepair(s *model.Set, text string) model.Block {
	return about(s, model.BlockInvalidPolicy, model.Attention, fmt.Sprintf("Annotation %s is %q; it must be Never, NeverReady or Unready. No pod is repaired until this is fixed.",
		annotationRepair, prose.Short(text)), "Set it to Never, NeverReady or Unready, or remove it.")
}

// blockRevisionLost is for a pod that would be made from a current revision that is missing.
func blockRevisionLost(s *model.Set, current, update string) model.Block {
	return model.Block{Code: model.BlockInvalidRevision, Severity: model.Attention, Kind: model.KindRevision, Name: current,
		Message: "status.currentRevision names this revision, but the set does not have it. Pods that need it are not created.",
		Remedy: "If it was deleted, recreate it, or create these pods from " + update + ": " +
			prose.Kubectl("patch", s.KubectlKind(), s.Name, "--subresource=status", "--type=merge", "-p", `{"status":{"currentRevision":"`+update+`"}}`)}
}

// blockStatusUnread is about a status that this plan writes anew.
func blockStatusUnread(s *model.Set) model.Block {
	return about(s, model.BlockInvalidRevision, model.Info, "The status names a revision with more than 253 characters, which no revision has. It counts as none, and the status is written anew.", "")
}

func blockTooMuchSaid(revision string) model.Block {
	return model.Block{Code: model.BlockInvalidRevision, Severity: model.Attention, Kind: model.KindRevision, Name: revision,
		Message: "The revisions of this set's pods that mention claim templates have more than 3 MiB. The planner does not read more, so nothing is done.",
		Remedy:  "Such a revision usually has some KiB. Find out who has written these."}
}

func blockRevisionUnusable(name string) model.Block {
	return model.Block{Code: model.BlockInvalidRevision, Severity: model.Attention, Kind: model.KindRevision, Name: name,
		Message: "Pods below the partition are created from this revision, but its data holds no valid template.",
		Remedy:  "Set the partition to 0 to create these pods from the update revision."}
}

func blockCapabilityMissing(a *model.Action) model.Block {
	return model.Block{Code: model.BlockCapabilityMissing, Severity: model.Attention, Kind: a.Kind, Name: a.Name,
		Message: "The adapter does not support the operation " + a.Op.Traits().Name + ", which is needed here: " + a.Cause.Message,
		Remedy:  "Use an adapter that supports it."}
}

func blockActionFailedBefore(a *model.Action, o *model.Outcome) model.Block {
	b := model.Block{Code: model.BlockActionFailedBefore, Severity: model.Wait, Kind: a.Kind, Name: a.Name,
		Message: "The last attempt to " + prose.ToDo(a.Op) + " failed and will be repeated. The API server said: " + prose.Answer(o.Message)}
	if o.Result == model.OutcomeRejected {
		b.Severity = model.Attention
		b.Remedy = "Fix what makes the API server refuse it: a quota, an admission policy, a missing permission or an invalid field."
	}
	return b
}

// recreation has a pod recreated, within the budget.
func recreation(pod string) string {
	return prose.Kubectl("annotate", "pod", pod, annotationRecreate+"=true", "--overwrite")
}
