package drain

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/prose"
	"github.com/setplan/setplan/engine/state"
)

// ifThatSetIsGone is the remedy for a claim that is marked for another set.
const ifThatSetIsGone = "If that set is gone, remove the annotation " + state.AnnotationDrainSet + " from the claim."

// What waits.

func blockDrainsAbove(p *model.Pod, above int32) model.Block {
	return model.Block{Code: model.BlockDrainWaits, Severity: model.Wait, Kind: model.KindPod, Name: p.Name,
		Message: fmt.Sprintf("The pod is outside the range and is deleted once ordinal %d is drained.", above)}
}

// blockDrainLimit names the first of the pods that wait, and where the limit stands.
func blockDrainLimit(waiting []state.Member, most int, source string) model.Block {
	b := model.Block{Code: model.BlockDrainWaits, Severity: model.Wait, Kind: model.KindPod, Name: waiting[0].Pod.Name,
		Message: fmt.Sprintf("The pod is outside the range and waits: at most %s drained at a time.", prose.Are(most, "ordinal")),
		Remedy:  "Raise " + source + " to drain more at once."}
	if more := len(waiting) - 1; more > 0 {
		b.Message += prose.SameHolds(more, "pod")
	}
	return b
}

func blockDrainsLater(p *drainPlace) model.Block {
	return model.Block{Code: model.BlockDrainWaits, Severity: model.Wait, Kind: model.KindPod, Name: p.name,
		Message: fmt.Sprintf("Ordinal %d is drained after the drains in progress.", p.ordinal)}
}

func blockReplicaStays(p *drainPlace) model.Block {
	b := model.Block{Code: model.BlockDrainWaits, Severity: model.Wait, Kind: model.KindPod, Name: p.replica.Name, Since: p.replica.LeavingSince,
		Message: fmt.Sprintf("Ordinal %d is drained once the set's own controller has deleted this pod.", p.ordinal)}
	if p.replica.Terminating() {
		b.Remedy = state.WhyItStays
	}
	return b
}

func blockAsked(p *model.Pod, question string) model.Block {
	message := "The pod is outside the range and is deleted once it has answered the drain request: its annotation " + state.AnnotationDrainAnswer + " must equal " + state.AnnotationDrainRequest + "."
	switch request, answer := state.DrainRequest(p), state.DrainAnswer(p); {
	case request != "" && request != question:
		message += fmt.Sprintf(" Its drain request %q was not meant for this pod and is replaced.", prose.Short(request))
	case answer != "":
		message += fmt.Sprintf(" Its answer %q does not match the request.", prose.Short(answer))
	}
	return model.Block{Code: model.BlockDrainAsked, Severity: model.Wait, Kind: model.KindPod, Name: p.Name,
		Message: message,
		Remedy:  "If it cannot answer, answer for it: " + prose.Kubectl("annotate", "pod", p.Name, state.AnnotationDrainAnswer+"="+question, "--overwrite")}
}

func blockSetDrains(s *model.Set, left int, source string) model.Block {
	b := state.About(s, model.BlockSetDeleting, model.Wait, fmt.Sprintf("The set is being deleted and is removed once it is drained: %s left.", prose.Are(left, "ordinal")),
		"To delete it without a drain, remove "+source+"; the claims are kept.")
	b.Since = s.DeletedAt
	return b
}

// Drain pods.

func blockDraining(p *drainPlace, attempt int32, proof bool) model.Block {
	b := model.Block{Code: model.BlockDraining, Severity: model.Wait, Kind: model.KindPod, Name: p.pod.Name, Since: p.pod.CreatedAt,
		Message: fmt.Sprintf("The drain pod of ordinal %d is %s; its claims are deleted once it has succeeded.", p.ordinal, prose.PhaseWord(p.pod.Phase)),
		Remedy:  "If it is stuck, correct the template and delete the pod to have it recreated. Its logs: " + prose.Kubectl("logs", p.pod.Name)}
	if proof {
		b.Message = fmt.Sprintf("The drain pod of ordinal %d is %s; its claims are deleted once it has succeeded and returned its token.", p.ordinal, prose.PhaseWord(p.pod.Phase))
	}
	if attempt > 1 {
		b.Message += fmt.Sprintf(" This is attempt %d.", attempt)
	}
	if p.inRange {
		b.Message += " The ordinal is in the range again and comes back empty after the drain."
		b.Remedy = "To keep its data instead, set " + policy.DrainScaleUp + " to Cancel. " + b.Remedy
	}
	return b
}

func blockDrainPodGoes(pod *model.Pod) model.Block {
	return model.Block{Code: model.BlockDraining, Severity: model.Wait, Kind: model.KindPod, Name: pod.Name, Since: pod.LeavingSince,
		Message: "The drain pod is being deleted; the set continues with the ordinal once it is gone.", Remedy: state.WhyItStays}
}

// blockDrainFailed says what is wrong with a drain pod that has ended and not drained.
func blockDrainFailed(p *drainPlace, attempt int32, what, remedy string) model.Block {
	return model.Block{Code: model.BlockDrainFailed, Severity: model.Attention, Kind: model.KindPod, Name: p.pod.Name, Since: p.pod.CreatedAt,
		Message: fmt.Sprintf("Drain pod %d of ordinal %d %s. The data is kept, and another drain pod follows.", attempt, p.ordinal, what), Remedy: remedy}
}

func blockDrainLost(p *drainPlace, attempt int32, begun, next time.Time) model.Block {
	return model.Block{Code: model.BlockDrainFailed, Severity: model.Attention, Kind: model.KindPod, Name: p.name, Since: begun, NotBefore: next,
		Message: fmt.Sprintf("Drain pod %d of ordinal %d disappeared before it finished. The data is kept, and another drain pod follows.", attempt, p.ordinal),
		Remedy:  "Find out what deletes it: " + prose.Kubectl("get", "events")}
}

// failureOf says what is wrong with a drain pod that has ended and not drained, and what would help. given and back
// count the containers that got a token, and those that returned it.
func failureOf(p *model.Pod, proof bool, given, back int) (what, remedy string) {
	switch {
	case p.Phase == model.PodFailed:
		return "has failed", "A corrected template is used from the next drain pod on. Its logs: " + prose.Kubectl("logs", p.Name)
	case !proof:
		return "has succeeded, but was stopped from outside (condition DisruptionTarget) and may not have finished",
			"If its program exits with 0 on SIGTERM, make it exit with another code, or set " + policy.DrainProof + " to Token."
	case given == 0:
		return "has succeeded, but had no token to return, which " + policy.DrainProof + " requires", "The next drain pod gets a token."
	}
	who := "its container"
	if given > 1 {
		who = fmt.Sprintf("%d of its %d containers", given-back, given)
	}
	return "has succeeded, but " + who + " did not return the token that " + policy.DrainProof + " requires",
		"Have each container run printf %s \"$" + tokenVariable + "\" > /dev/termination-log when it is done. A corrected template is used from the next drain pod on."
}

// blockNameNotFree is state.BlockPodNameTaken for a drain pod.
func blockNameNotFree(p *drainPlace, whose string, earlier *model.Owner) model.Block {
	b := state.BlockPodNameTaken(p.stranger, whose, earlier, false) // beside a namesake nothing is drained
	b.Message += fmt.Sprintf(" Ordinal %d is drained once it is gone.", p.ordinal)
	b.Remedy = "Delete that pod."
	return b
}

// Claims.

func blockMarkedByAnother(c *model.Claim) model.Block {
	return model.Block{Code: model.BlockDrainLeftover, Severity: model.Info, Kind: model.KindClaim, Name: c.Name,
		Message: "The claim is marked for another set (" + prose.Short(state.DrainSetOfClaim(c)) + ") and is not drained for this one.", Remedy: ifThatSetIsGone}
}

func blockLeftToAnother(c *model.Claim) model.Block {
	return model.Block{Code: model.BlockDrainLeftover, Severity: model.Info, Kind: model.KindClaim, Name: c.Name,
		Message: fmt.Sprintf("The claim is marked for another set (%s) and is left to it.", prose.Short(state.DrainSetOfClaim(c))), Remedy: ifThatSetIsGone}
}

func blockLeftover(c *model.Claim, template string, ordinal int32) model.Block {
	return model.Block{Code: model.BlockDrainLeftover, Severity: model.Info, Kind: model.KindClaim, Name: c.Name,
		Message: fmt.Sprintf("The claim was outside the range before the drain policy covered it, so claim %s of ordinal %d is not drained.", prose.Short(template), ordinal),
		Remedy:  "Delete it by hand, or set " + policy.DrainLeftovers + " to true to drain such claims."}
}

// blockUnprotected names the first claim that would go with an owner. withSet and withPods count those that would go
// with the set and with pods. putBack: another controller would restore the reference.
func blockUnprotected(s *model.Set, first *model.Claim, owner *model.Owner, withSet, withPods int, putBack bool) model.Block {
	ofSet := owner.UID == s.UID
	b := model.Block{Code: model.BlockDrainUnprotected, Severity: model.Attention, Kind: model.KindClaim, Name: first.Name,
		Message: fmt.Sprintf("The claim is owned by %s %s and would be deleted with it, undrained.", prose.Short(owner.Kind), prose.Short(owner.Name))}
	same, other, whose := withPods, withSet, "the set"
	if ofSet {
		same, other, whose = withSet, withPods, "pods"
	}
	if same > 1 {
		b.Message += prose.SameHolds(same-1, "claim")
	}
	if other > 0 {
		b.Message += " " + prose.Plural(other, "claim") + " would be deleted with " + whose + "."
	}
	switch keep := whatToKeep(withSet, withPods); {
	case !s.DeletedAt.IsZero():
		b.Remedy = "To keep the data, remove that owner reference now."
	case putBack && ofSet:
		b.Remedy = keep + untilRetain("whenDeleted")
	case putBack:
		b.Remedy = keep + untilRetain("whenScaled")
	default:
		b.Remedy = keep + " The owner reference is being removed. If it stays, find out why the removal is refused, or remove it by hand."
	}
	return b
}

func whatToKeep(withSet, withPods int) (keep string) {
	if withPods > 0 {
		keep = "Do not delete the pod until this block is gone."
	}
	if withSet > 0 {
		keep = strings.TrimSpace(keep + " Do not delete the set until this block is gone, or delete it with --cascade=orphan, which keeps all claims.")
	}
	return keep
}

func untilRetain(field string) string {
	return " Set persistentVolumeClaimRetentionPolicy." + field + " to Retain. Until then, the set's own controller restores the reference."
}

// claimMissing is a block about a claim without which an ordinal cannot be drained.
func claimMissing(name string, since time.Time, message, remedy string) model.Block {
	return model.Block{Code: model.BlockDrainClaimMissing, Severity: model.Attention, Kind: model.KindClaim, Name: name, Since: since, Message: message, Remedy: remedy}
}

func blockClaimGoes(c *model.Claim, ordinal int32) model.Block {
	return claimMissing(c.Name, c.DeletedAt, fmt.Sprintf("The claim is being deleted, so ordinal %d cannot be drained.", ordinal),
		"Once it is gone, recreate it, or delete the ordinal's other claims to give up its data.")
}

func blockClaimOfAnother(c *model.Claim, ordinal int32) model.Block {
	return claimMissing(c.Name, time.Time{},
		fmt.Sprintf("The claim is marked for another set (%s), so ordinal %d cannot be drained.", prose.Short(state.DrainSetOfClaim(c)), ordinal), ifThatSetIsGone)
}

func blockNoClaim(name string, ordinal int32) model.Block {
	return claimMissing(name, time.Time{}, fmt.Sprintf("The claim does not exist, so ordinal %d cannot be drained.", ordinal),
		"Create the claim, or delete the ordinal's other claims to give up its data.")
}

func blockInvalidPolicy(s *model.Set, message, remedy string) model.Block {
	return state.About(s, model.BlockInvalidPolicy, model.Attention, message+state.UntilFixed, remedy)
}

// settingRemedy is what to do about a value that cannot be used.
func settingRemedy(v state.Setting) string {
	if v.Typed {
		return "Correct it in the request, or omit it."
	}
	return "Correct the annotation, or remove it."
}

// blockInvalidSetting is for a value that is none of those that it may be.
func blockInvalidSetting(s *model.Set, v state.Setting, wanted string) model.Block {
	return blockInvalidPolicy(s, state.MustBe(v.Source, v.Text, wanted), settingRemedy(v))
}

func blockDrainTemplate(s *model.Set, template state.Setting, problem string) model.Block {
	return blockInvalidPolicy(s, template.Source+" is invalid: "+problem+".", settingRemedy(template))
}

func blockNobodyAsks(s *model.Set, ask state.Setting) model.Block {
	return blockInvalidPolicy(s, ask.Source+" is true, but the controller that runs the set sends no drain requests.", settingRemedy(ask))
}

// blockClaimsGoWhenScaled is for a set that another controller runs.
func blockClaimsGoWhenScaled(s *model.Set, template state.Setting) model.Block {
	return blockInvalidPolicy(s, "persistentVolumeClaimRetentionPolicy.whenScaled is Delete, so the set's own controller deletes the claims before they are drained.",
		settingRemedy(template))
}

func blockClaimsGoWithSet(s *model.Set, onDelete state.Setting) model.Block {
	return blockInvalidPolicy(s, onDelete.Source+" is true and persistentVolumeClaimRetentionPolicy.whenDeleted is Delete, so the claims may be deleted with the set before they are drained.",
		settingRemedy(onDelete))
}

func blockMayNotDrain(s *model.Set) model.Block {
	return blockInvalidPolicy(s, "The adapter may not delete claims in this namespace, so a drain could not finish.",
		"Remove the policy, or allow drains in this namespace: --drain-namespace, and the role drain: "+
			prose.Kubectl("apply", "-f", "deploy/manifests/drain-namespace.yaml"))
}

func blockNeighbours(s *model.Set, first *model.ClaimNeighbour) model.Block {
	return blockInvalidPolicy(s, fmt.Sprintf("Set %s in this namespace uses the same claim names (%s), so a drain could take its data.",
		prose.Short(first.Set), prose.Short(first.ClaimTemplate+"-"+s.Name+"-0")),
		"Delete one of the sets and take care of its claims, or remove the drain policy.")
}

func blockNamesakeDrains(s *model.Set, namesake *model.Owner) model.Block {
	return blockInvalidPolicy(s, state.NamesakeOf(namesake)+" uses the same claim names, so a drain could take its data.",
		"Delete one of the two and take care of its claims, or remove the drain policy.")
}

func blockStopsItself(s *model.Set, source, container, field string) model.Block {
	return blockInvalidPolicy(s, fmt.Sprintf("%s is invalid: its container %s has a %s, so the kubelet may stop it before it finishes, and exit code 0 would then count as drained.",
		source, prose.Short(container), field),
		"Remove "+field+" from the template. If the program gives up, it should exit with a code other than 0.")
}

func blockSeveralTemplates(s *model.Set, source string, others []string) model.Block {
	return state.About(s, model.BlockInvalidPolicy, model.Info, fmt.Sprintf("%s is used; it differs from the template in %s.", source, strings.Join(others, " and ")),
		"Remove the template that you do not want.")
}

// The causes whose sentence is always the same.
var causeCovered = model.Cause{Code: model.CauseDrainMark, Message: "The drain policy covers the claim."}

var causeNotCovered = model.Cause{Code: model.CauseDrainMark, Message: "The set has no drain policy that covers the claim."}

var causeDrainRuns = model.Cause{Code: model.CauseDrain, Message: "The creation time of the drain pod is recorded."}

var causeClaimDrained = model.Cause{Code: model.CauseDrained, Message: "The drain pod has succeeded: the claim is drained."}

var causeDrainSucceeded = model.Cause{Code: model.CauseDrained, Message: "The drain pod has succeeded."}

var causeNothingLeft = model.Cause{Code: model.CauseDrained, Message: "The drain pod's claims are gone: nothing is left to drain."}

var causeDrainFailed = model.Cause{Code: model.CauseDrainFailed, Message: "The drain pod has failed; another one follows."}

var causeDrainUnproved = model.Cause{Code: model.CauseDrainFailed, Message: "The drain pod has succeeded without proof that it finished; another one follows."}

var causeNoPolicy = model.Cause{Code: model.CauseDrainCancelled, Message: "The set no longer has a drain policy; the claims are kept."}

var causeBackWithData = model.Cause{Code: model.CauseDrainCancelled, Message: "The ordinal is back in the range with its data."}

var causeBackUndrained = model.Cause{Code: model.CauseDrainCancelled, Message: "The ordinal came back into the range before it was drained, and " + policy.DrainScaleUp + " is Cancel, so it keeps its data."}

var causeSetGoes = model.Cause{Code: model.CauseDrainCancelled, Message: "The set is deleted without a drain; the claims are kept."}

var causeAsk = model.Cause{Code: model.CauseDrainAsk, Message: "The pod's ordinal is outside the range; the pod gets a drain request before it is deleted."}

var causeTakeBack = model.Cause{Code: model.CauseDrainAsk, Message: "The pod is kept, so its drain request is withdrawn."}

var causeSetDrained = model.Cause{Code: model.CauseDrainFinalizer, Message: "The set is drained and may be deleted."}

var causeSetNotDrained = model.Cause{Code: model.CauseDrainFinalizer, Message: "The set need not be drained before it is deleted."}

var causeProtect = model.Cause{Code: model.CauseRetention, Message: "The drain policy covers the claim, so it must not be deleted with its owner before it is drained."}

func causeDrain(ordinal int32) model.Cause {
	return model.Cause{Code: model.CauseDrain, Message: fmt.Sprintf("Ordinal %d is outside the range; its data has to be drained.", ordinal)}
}

func causeFinishDrain(ordinal int32) model.Cause {
	return model.Cause{Code: model.CauseDrain, Message: fmt.Sprintf("The drain of ordinal %d has begun and has to finish before the ordinal comes back.", ordinal)}
}

// causeDrainsOnDelete names the setting that asks for the drain.
func causeDrainsOnDelete(source string) model.Cause {
	return model.Cause{Code: model.CauseDrainFinalizer, Message: source + " is true: a deleted set stays until it is drained."}
}

const aProof = "Token"

const aScaleUp = "Finish or Cancel"

const aTruthValue = "true or false"

var errAnnotations = errors.New("metadata.annotations must be an object")

func errLongLabel(key, text string) error {
	return fmt.Errorf("metadata.labels[%s] has %s, and the API server takes at most %d", strings.ToValidUTF8(prose.Short(key), "?"), prose.Plural(len(text), "character"), state.LongestLabel)
}

var errLooksLikeReplica = errors.New("its labels match spec.selector, so the drain pod would be mistaken for a replica")

var errNoContainers = errors.New("it has no spec.containers")

func errRestartPolicy(policy string) error {
	return fmt.Errorf("spec.restartPolicy is %q; it must be OnFailure or Never, because a drain pod must run to completion", prose.Short(policy))
}
