package engine

import (
	"fmt"
	"strings"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

// ifThatSetIsGone is the remedy for a claim that is marked for another set.
const ifThatSetIsGone = "If that set is gone, remove the annotation " + annotationDrainSet + " from the claim."

// What waits.

func blockDrainsAbove(p *model.Pod, above int32) model.Block {
	return model.Block{Code: model.BlockDrainWaits, Severity: model.Wait, Kind: model.KindPod, Name: p.Name,
		Message: fmt.Sprintf("The pod is outside the range and is deleted once ordinal %d is drained.", above)}
}

// blockDrainLimit names the first of the pods that wait, and where the limit stands.
func blockDrainLimit(waiting []member, most int, source string) model.Block {
	b := model.Block{Code: model.BlockDrainWaits, Severity: model.Wait, Kind: model.KindPod, Name: waiting[0].pod.Name,
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
		b.Remedy = whyItStays
	}
	return b
}

func blockAsked(p *model.Pod, question string) model.Block {
	message := "The pod is outside the range and is deleted once it has answered the drain request: its annotation " + annotationDrainAnswer + " must equal " + annotationDrainRequest + "."
	switch request, answer := drainRequest(p), drainAnswer(p); {
	case request != "" && request != question:
		message += fmt.Sprintf(" Its drain request %q was not meant for this pod and is replaced.", prose.Short(request))
	case answer != "":
		message += fmt.Sprintf(" Its answer %q does not match the request.", prose.Short(answer))
	}
	return model.Block{Code: model.BlockDrainAsked, Severity: model.Wait, Kind: model.KindPod, Name: p.Name,
		Message: message,
		Remedy:  "If it cannot answer, answer for it: " + prose.Kubectl("annotate", "pod", p.Name, annotationDrainAnswer+"="+question, "--overwrite")}
}

func blockSetDrains(s *model.Set, left int, source string) model.Block {
	b := about(s, model.BlockSetDeleting, model.Wait, fmt.Sprintf("The set is being deleted and is removed once it is drained: %s left.", prose.Are(left, "ordinal")),
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
		b.Remedy = "To keep its data instead, set " + policyScaleUp + " to Cancel. " + b.Remedy
	}
	return b
}

func blockDrainPodGoes(pod *model.Pod) model.Block {
	return model.Block{Code: model.BlockDraining, Severity: model.Wait, Kind: model.KindPod, Name: pod.Name, Since: pod.LeavingSince,
		Message: "The drain pod is being deleted; the set continues with the ordinal once it is gone.", Remedy: whyItStays}
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
			"If its program exits with 0 on SIGTERM, make it exit with another code, or set " + policyProof + " to Token."
	case given == 0:
		return "has succeeded, but had no token to return, which " + policyProof + " requires", "The next drain pod gets a token."
	}
	who := "its container"
	if given > 1 {
		who = fmt.Sprintf("%d of its %d containers", given-back, given)
	}
	return "has succeeded, but " + who + " did not return the token that " + policyProof + " requires",
		"Have each container run printf %s \"$" + tokenVariable + "\" > /dev/termination-log when it is done. A corrected template is used from the next drain pod on."
}

// blockNameNotFree is blockPodNameTaken for a drain pod.
func blockNameNotFree(p *drainPlace, whose string, earlier *model.Owner) model.Block {
	b := blockPodNameTaken(p.stranger, whose, earlier, false) // beside a namesake nothing is drained
	b.Message += fmt.Sprintf(" Ordinal %d is drained once it is gone.", p.ordinal)
	b.Remedy = "Delete that pod."
	return b
}

// Claims.

func blockMarkedByAnother(c *model.Claim) model.Block {
	return model.Block{Code: model.BlockDrainLeftover, Severity: model.Info, Kind: model.KindClaim, Name: c.Name,
		Message: "The claim is marked for another set (" + prose.Short(drainSetOfClaim(c)) + ") and is not drained for this one.", Remedy: ifThatSetIsGone}
}

func blockLeftToAnother(c *model.Claim) model.Block {
	return model.Block{Code: model.BlockDrainLeftover, Severity: model.Info, Kind: model.KindClaim, Name: c.Name,
		Message: fmt.Sprintf("The claim is marked for another set (%s) and is left to it.", prose.Short(drainSetOfClaim(c))), Remedy: ifThatSetIsGone}
}

func blockLeftover(c *model.Claim, template string, ordinal int32) model.Block {
	return model.Block{Code: model.BlockDrainLeftover, Severity: model.Info, Kind: model.KindClaim, Name: c.Name,
		Message: fmt.Sprintf("The claim was outside the range before the drain policy covered it, so claim %s of ordinal %d is not drained.", prose.Short(template), ordinal),
		Remedy:  "Delete it by hand, or set " + policyLeftovers + " to true to drain such claims."}
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
		fmt.Sprintf("The claim is marked for another set (%s), so ordinal %d cannot be drained.", prose.Short(drainSetOfClaim(c)), ordinal), ifThatSetIsGone)
}

func blockNoClaim(name string, ordinal int32) model.Block {
	return claimMissing(name, time.Time{}, fmt.Sprintf("The claim does not exist, so ordinal %d cannot be drained.", ordinal),
		"Create the claim, or delete the ordinal's other claims to give up its data.")
}
