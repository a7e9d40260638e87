package engine

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/prose"
	"github.com/setplan/setplan/engine/state"
)

func blockCrowdedClaim(s *model.Set, template string, size int) model.Block {
	return state.About(s, model.BlockInvalidSpec, model.Attention, fmt.Sprintf("The set cannot have pods: claims of template %s cannot exist, because %s.", prose.Short(template), tooManyAnnotations(size)),
		"Remove annotations from the claim template.")
}

func blockInvalidRepair(s *model.Set, text string) model.Block {
	return state.About(s, model.BlockInvalidPolicy, model.Attention, fmt.Sprintf("Annotation %s is %q; it must be Never, NeverReady or Unready. No pod is repaired until this is fixed.",
		policy.Repair, prose.Short(text)), "Set it to Never, NeverReady or Unready, or remove it.")
}

func blockInvalidSelector(s *model.Set, err error) model.Block {
	return state.About(s, model.BlockInvalidSelector, model.Attention, fmt.Sprintf("spec.selector is invalid: %v.", err),
		"Recreate the set with a selector that matches the labels of its pod template.")
}

func blockInvalidSpec(s *model.Set, field, value, wanted string) model.Block {
	return state.About(s, model.BlockInvalidSpec, model.Attention, state.MustBe(field, value, wanted),
		"Set "+field+" to "+wanted+".")
}

func blockLastOrdinal(s *model.Set, last int64) model.Block {
	return state.About(s, model.BlockInvalidSpec, model.Attention,
		fmt.Sprintf("spec.ordinals.start is %d, so the last ordinal would be %d, above the largest possible one, %d.", s.OrdinalsStart, last, math.MaxInt32),
		"Lower spec.ordinals.start or spec.replicas.")
}

// blockLongPodName is about the last pod of the range.
func blockLongPodName(s *model.Set, last string) model.Block {
	remedy := "Lower spec.replicas or spec.ordinals.start."
	if len(s.PodName(0)) > state.LongestLabel {
		remedy = "Create the set under a name of at most " + strconv.Itoa(state.SafeName) + " characters instead."
	}
	return state.About(s, model.BlockInvalidSpec, model.Attention,
		fmt.Sprintf("Pod %s cannot exist: its name has %d characters, and its host name and its label %s may have at most %d. No pod outside the range is deleted.",
			last, len(last), model.LabelPodName, state.LongestLabel),
		remedy)
}

// blockLongRevision is about a revision that no pod can have. stays is the one that the pods stay at; "": they have none.
func blockLongRevision(s *model.Set, revision, stays string) model.Block {
	message := "No pod can have revision " + revision + ": its name has " + strconv.Itoa(len(revision)) + " characters, and the label " + model.LabelRevision +
		" that holds it may have at most " + strconv.Itoa(state.LongestLabel) + "."
	remedy := "Create the set under a name of at most " + strconv.Itoa(state.SafeName) + " characters instead; this one has " + strconv.Itoa(len(s.Name)) + "."
	if stays != "" {
		message += " The pods stay at " + stays + "."
		remedy = "Restore the template of " + stays + ". To run another one, create the set under a name of at most " + strconv.Itoa(state.SafeName) + " characters."
	}
	return state.About(s, model.BlockInvalidSpec, model.Attention, message, remedy)
}

func blockMaxUnavailable(s *model.Set, err error) model.Block {
	return state.About(s, model.BlockInvalidSpec, model.Attention, fmt.Sprintf("spec.updateStrategy.rollingUpdate.maxUnavailable is invalid: %v.", err),
		"Set it to a number of at least 1 or a percentage such as 25%.")
}

func blockNameHasDots(s *model.Set) model.Block {
	return state.About(s, model.BlockInvalidSpec, model.Attention, "The set cannot have pods: their host names would begin with "+prose.Short(s.Name)+", and no host name has a dot.",
		"Create the set under a name without dots instead.")
}

func blockNoSubdomain(s *model.Set) model.Block {
	return state.About(s, model.BlockInvalidSpec, model.Attention, fmt.Sprintf("The set cannot have pods: spec.serviceName becomes their subdomain, and %s.", notDNSLabel(s.ServiceName)),
		"Create the set again with the name of a service.")
}

func blockNoVolume(s *model.Set, template string) model.Block {
	return state.About(s, model.BlockInvalidSpec, model.Attention, fmt.Sprintf("The set cannot have pods: a claim template's name becomes that of a volume, and %s.", notDNSLabel(template)),
		"Create the set again with another name for the claim template.")
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
	return state.About(s, model.BlockInvalidRevision, model.Info, "The status names a revision with more than 253 characters, which no revision has. It counts as none, and the status is written anew.", "")
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
	return state.About(s, model.BlockInvalidPolicy, model.Attention,
		which+" unknown to this planner and may protect what it would delete."+state.UntilFixed,
		"Correct the name, remove the annotation, or use a planner release that knows it.")
}

func tooLarge(size int) string {
	return fmt.Sprintf("it has %d bytes, and an object may have at most %d", size, state.MostStored)
}

func blockInvalidReserved(s *model.Set, of policy.Asked, err error) model.Block {
	return state.About(s, model.BlockInvalidPolicy, model.Attention,
		fmt.Sprintf("%s is invalid: %v. Nothing is done until this is fixed, because the set's ordinals are not known.", state.Subject(of), err),
		`List ordinals and ranges, such as "1,3-5", or remove it.`)
}

// blockPaused says what a mode holds back. Each mode holds back what the one before does.
func blockPaused(s *model.Set, of policy.Asked, mode state.Pause, outdated, condemned int, updates bool) model.Block {
	message := [...]string{
		state.PauseUpdates:  "Updates and repairs are paused.",
		state.PauseHealOnly: "Missing and ended pods are recreated; everything else is paused.",
		state.PauseAll:      "Pods and claims are left as they are; only the status is updated.",
	}[mode]
	if outdated > 0 {
		message += " Outdated: " + prose.Plural(outdated, "pod") + "."
	}
	if condemned > 0 && mode >= state.PauseHealOnly {
		message += " Outside the range: " + prose.Plural(condemned, "pod") + "."
	}
	severity := model.Info
	if mode == state.PauseAll || updates || condemned > 0 && mode == state.PauseHealOnly {
		severity = model.Wait // what is held back is left to do, and a set whose pods nobody heals is not done
	}
	return state.About(s, model.BlockPaused, severity, message, "To resume, remove "+state.ObjectOf(of)+".")
}

// blockScaleInGuarded names the lowest of the pods that the guard keeps.
func blockScaleInGuarded(lowest *model.Pod, pods int, guard policy.Asked) model.Block {
	reserved := policy.Reserved
	if guard.ByField() {
		reserved = policy.FieldReserved
	}
	message := "The pod's ordinal is outside the range but not reserved; " + guard.Name + " keeps the pod."
	if pods > 1 {
		message += prose.SameHolds(pods-1, "pod")
	}
	return model.Block{Code: model.BlockScaleInGuarded, Severity: model.Attention, Kind: model.KindPod, Name: lowest.Name, Message: message,
		Remedy: "Raise spec.replicas, or list the ordinals to delete in " + reserved + "."}
}

// maxNamed is how many unknown annotations a block names.
const maxNamed = 3

func notDNSLabel(text string) string {
	return fmt.Sprintf("%q cannot be one: it has %s, and at most %d of a-z, 0-9 and - are allowed", prose.Short(text), prose.Plural(len(text), "character"), state.LongestLabel)
}

func tooManyAnnotations(size int) string {
	return fmt.Sprintf("the annotations have %d bytes, and an object may have at most %d", size, state.MostAnnotations)
}

// blockExcluded is about a revision that no pod can have. stays is the one that the pods stay at; "": they have none.
func (v *view) blockExcluded(revision, stays string) model.Block {
	why := v.Excess[revision]
	if why == "" {
		return blockLongRevision(v.Set, revision, stays)
	}
	message, remedy := "No pod can have revision "+revision+": "+why+".", "Make spec.template smaller."
	if stays != "" {
		message += " The pods stay at " + stays + "."
	}
	return state.About(v.Set, model.BlockInvalidSpec, model.Attention, message, remedy)
}

const aRetention = "Retain or Delete"

const aStrategy = "RollingUpdate, OnDelete or Recreate"

// blockNoRecreate is about a set whose strategy the rules do not know.
func blockNoRecreate(s *model.Set) model.Block {
	return state.About(s, model.BlockInvalidSpec, model.Attention,
		"spec.updateStrategy.type is \"Recreate\", which this behavior does not plan: Kubernetes 1.36 does not know it, and 1.37 has it behind a feature gate that is off. Until this is fixed, nothing is done.",
		"Set it to RollingUpdate or OnDelete, or choose the behavior SETPLAN.")
}

// blockRecreation says that no pod is created yet.
func blockRecreation(s *model.Set, pods int, revision string) model.Block {
	return state.About(s, model.BlockRecreateWaits, model.Wait,
		fmt.Sprintf("Under Recreate, no pod is created at %s until all outdated pods are gone. %s still there.", revision, prose.Are(pods, "pod")), "")
}

// blockRecreationHeld names one of the pods that have to stay.
func blockRecreationHeld(s *model.Set, p *model.Pod, why string) model.Block {
	severity := model.Wait
	if why == keptInPlace {
		severity = model.Attention
	}
	return state.About(s, model.BlockRecreateWaits, severity,
		"Recreate deletes all outdated pods at once, and none while one of them has to stay. Pod "+prose.Short(p.Name)+" stays for now: "+why+".",
		"Do what lets the pod go, or set spec.updateStrategy.type to RollingUpdate.")
}

// Why an outdated pod has to stay.
const (
	keptInPlace   = "the set asks for updates in place only, and Recreate changes no pod in place"
	keptByGate    = "its update needs approval"
	keptByGuard   = "its ordinal is outside the range but not reserved"
	keptForDrain  = "what leaves the range is drained first"
	keptOutside   = "it is outside the range, where no pod is deleted until an annotation is corrected"
	keptForClaims = "a claim, or its data, would go with it"
)

// What a field may be.
const anOrder = "OrderedReady or Parallel"

func numberUpTo(most int) string { return fmt.Sprintf("a number up to %d", most) }
