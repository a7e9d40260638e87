package engine

import (
	"fmt"
	"math"
	"strings"
)

// What blocks say stands here and in blocks_*.go, apart from the steps that add them; docs/blocks.md says what each is for.

// about is a block about the set itself.
func about(s *Set, code BlockCode, severity Severity, message, remedy string) Block {
	return Block{Code: code, Severity: severity, Kind: s.Kind, Name: s.Name, Message: message, Remedy: remedy}
}

func blockCoverageIncomplete(s *Set, missing []string) Block {
	return about(s, BlockCoverageIncomplete, Wait, "The list of "+strings.Join(missing, " and ")+" is not complete yet, so nothing is created or deleted.", "")
}

func blockSetDeleting(s *Set) Block {
	b := about(s, BlockSetDeleting, Wait, "The set is being deleted: the garbage collector deals with its pods, and only the status is kept up.", "")
	b.Since = s.DeletedAt
	return b
}

func blockInvalidSelector(s *Set, err error) Block {
	return about(s, BlockInvalidSelector, Attention, fmt.Sprintf("spec.selector cannot be used: %v.", err),
		"Create the set anew with a selector that matches the labels of its pod template.")
}

func blockInvalidSpec(s *Set, field, value, wanted string) Block {
	return about(s, BlockInvalidSpec, Attention, isNot(field, value, wanted),
		"Set "+field+" to "+wanted+".")
}

func blockLastOrdinal(s *Set, last int64) Block {
	return about(s, BlockInvalidSpec, Attention,
		fmt.Sprintf("spec.ordinals.start is %d, and the last ordinal would be %d, which no pod's name can have.", s.OrdinalsStart, last),
		fmt.Sprintf("Lower spec.ordinals.start or spec.replicas: ordinals end at %d.", math.MaxInt32))
}

func blockMaxUnavailable(s *Set, err error) Block {
	return about(s, BlockInvalidSpec, Attention, fmt.Sprintf("spec.updateStrategy.rollingUpdate.maxUnavailable cannot be used: %v.", err),
		"Set it to a number of at least 1 or a share such as 25%.")
}

func blockTooMuchWork(s *Set, part string) Block {
	return about(s, BlockInvalidSpec, Attention, "A plan for the set takes more work than one plan may; most of it is for "+part+".", "Make that smaller.")
}

func blockInvalidTemplate(s *Set, err error) Block {
	return about(s, BlockInvalidTemplate, Attention, fmt.Sprintf("spec.template cannot be used: %v.", err), "Correct spec.template.")
}

func blockInvalidClaimTemplate(s *Set, i int, err error) Block {
	return about(s, BlockInvalidTemplate, Attention, fmt.Sprintf("spec.volumeClaimTemplates[%d] cannot be used: %v.", i, err),
		fmt.Sprintf("Correct spec.volumeClaimTemplates[%d].", i))
}

// blockUnknownAnnotations names the first of the annotations that mean nothing here.
func blockUnknownAnnotations(s *Set, unknown []string) Block {
	named := make([]string, min(len(unknown), maxNamed))
	for i := range named {
		named[i] = short(unknown[i])
	}
	which, mean := "Annotation "+named[0], "means"
	if len(unknown) > 1 {
		which, mean = "Annotations "+strings.Join(named, ", "), "mean"
	}
	if more := len(unknown) - len(named); more > 0 {
		which += " and " + moreOf(more, "annotation")
	}
	return about(s, BlockInvalidPolicy, Attention,
		fmt.Sprintf("%s %s nothing to this planner, so what it would delete may be what somebody wants to keep.", which, mean)+untilMended,
		"Correct the name, remove the annotation, or take the planner of a release that knows it.")
}

// maxNamed is how many unknown annotations a block names.
const maxNamed = 3

func blockInvalidRepair(s *Set, text string) Block {
	return about(s, BlockInvalidPolicy, Attention, fmt.Sprintf("Annotation %s is %q, which is not Never, NeverReady or Unready, so no pod is repaired.",
		annotationRepair, short(text)), "Set it to Never, NeverReady or Unready, or remove it.")
}

// blockRevisionLost says what is missing where a pod would be made from the current revision.
func blockRevisionLost(s *Set, current, update string) Block {
	return Block{Code: BlockInvalidRevision, Severity: Attention, Kind: KindRevision, Name: current,
		Message: "The status names this revision as the current one, and it is not among the set's revisions: pods that are to come back at it wait.",
		Remedy: "If it was deleted, create it again, or have these pods come back at " + update + ": kubectl -n " + s.Namespace + " patch " + s.kubectlKind() + " " + s.Name +
			" --subresource=status --type=merge -p '{\"status\":{\"currentRevision\":\"" + update + "\"}}'."}
}

// kubectlKind is the set's kind as kubectl takes it: two API groups may have one of this name.
func (s *Set) kubectlKind() string {
	kind := strings.ToLower(s.Kind)
	group, version, grouped := strings.Cut(s.APIVersion, "/")
	if !grouped || group == "apps" {
		return kind
	}
	return kind + "." + version + "." + group
}

func blockRevisionUnusable(name string) Block {
	return Block{Code: BlockInvalidRevision, Severity: Attention, Kind: KindRevision, Name: name,
		Message: "Pods below the partition are made from this revision, and its data holds no usable template.",
		Remedy:  "Set the partition to 0, so that these pods get the update revision."}
}

func blockCapabilityMissing(a *Action) Block {
	return Block{Code: BlockCapabilityMissing, Severity: Attention, Kind: a.Kind, Name: a.Name,
		Message: "The adapter cannot " + a.Op.name() + ", which is needed here: " + a.Cause.Message,
		Remedy:  "Use an adapter that lists this capability."}
}

func blockActionFailedBefore(a *Action, o *Outcome) Block {
	b := Block{Code: BlockActionFailedBefore, Severity: Wait, Kind: a.Kind, Name: a.Name,
		Message: "The last " + a.Op.name() + " failed and is tried again; the API said: " + shortMessage(o.Message)}
	if o.Result == OutcomeRejected {
		b.Severity = Attention
		b.Remedy = "Remove what makes the API refuse it: a quota, an admission policy, a missing permission or an invalid field."
	}
	return b
}
