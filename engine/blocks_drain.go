package engine

import (
	"fmt"
	"strings"
	"time"
)

// ifThatSetIsGone is the remedy for a claim that is marked as another set's.
const ifThatSetIsGone = "If that set is gone, remove the annotation " + annotationDrainSet + " from the claim."

// What waits.

func blockDrainsAbove(p *Pod, above int32) Block {
	return Block{Code: BlockDrainWaits, Severity: Wait, Kind: KindPod, Name: p.Name,
		Message: fmt.Sprintf("The pod is outside the range and goes once ordinal %d above it is drained.", above)}
}

// blockDrainLimit names the first of the pods that wait, and where the limit stands.
func blockDrainLimit(waiting []member, most int, source string) Block {
	b := Block{Code: BlockDrainWaits, Severity: Wait, Kind: KindPod, Name: waiting[0].pod.Name,
		Message: fmt.Sprintf("The pod is outside the range and stays for now: %s leave at once.", plural(most, "ordinal")),
		Remedy:  "Raise " + source + " to drain more at once."}
	if more := len(waiting) - 1; more > 0 {
		b.Message += sameHolds(more, "pod")
	}
	return b
}

func blockDrainsLater(p *drainPlace) Block {
	return Block{Code: BlockDrainWaits, Severity: Wait, Kind: KindPod, Name: p.name,
		Message: fmt.Sprintf("Ordinal %d is drained after those that are under way.", p.ordinal)}
}

func blockReplicaStays(p *drainPlace) Block {
	b := Block{Code: BlockDrainWaits, Severity: Wait, Kind: KindPod, Name: p.replica.Name, Since: p.replica.DeletedAt,
		Message: fmt.Sprintf("Ordinal %d is drained once the set's own controller has taken this pod away.", p.ordinal)}
	if p.replica.terminating() {
		b.Remedy = whyItStays
	}
	return b
}

func blockAsked(p *Pod, question string) Block {
	return Block{Code: BlockDrainAsked, Severity: Wait, Kind: KindPod, Name: p.Name,
		Message: "The pod is outside the range and goes once it has answered: " + annotationDrainAnswer + " has to equal " + annotationDrainRequest + ".",
		Remedy:  "If it cannot answer: kubectl annotate pod " + p.Name + " " + annotationDrainAnswer + "=" + short(question) + "."}
}

func blockSetDrains(s *Set, left int, source string) Block {
	b := about(s, BlockSetDeleting, Wait, fmt.Sprintf("The set is being deleted, and goes once it is drained: %s left.", are(left, "ordinal")),
		"To delete it without a drain, remove "+source+"; the claims then stay.")
	b.Since = s.DeletedAt
	return b
}

// Drain pods.

func blockDraining(p *drainPlace, attempt int32, proof bool) Block {
	b := Block{Code: BlockDraining, Severity: Wait, Kind: KindPod, Name: p.pod.Name, Since: p.pod.CreatedAt,
		Message: fmt.Sprintf("The drain pod of ordinal %d is %s; its claims go once it has succeeded.", p.ordinal, phaseWord(p.pod.Phase)),
		Remedy:  "If it does not get on: kubectl logs " + p.pod.Name + ". After correcting the template, delete the pod, and it is made anew."}
	if proof {
		b.Message = fmt.Sprintf("The drain pod of ordinal %d is %s; its claims go once it has succeeded and handed its token back.", p.ordinal, phaseWord(p.pod.Phase))
	}
	if attempt > 1 {
		b.Message += fmt.Sprintf(" It is drain pod %d.", attempt)
	}
	if p.inRange {
		b.Message += " The ordinal is in the range again and comes back empty after the drain."
		b.Remedy += " To have it return to its data instead, set " + policyScaleUp + " to Cancel."
	}
	return b
}

func blockDrainPodGoes(pod *Pod) Block {
	return Block{Code: BlockDraining, Severity: Wait, Kind: KindPod, Name: pod.Name, Since: pod.DeletedAt,
		Message: "The drain pod is being deleted, and the set goes on with the ordinal once it is gone.", Remedy: whyItStays}
}

// blockDrainFailed says what is wrong with a drain pod that has ended and not drained.
func blockDrainFailed(p *drainPlace, attempt int32, what, remedy string) Block {
	return Block{Code: BlockDrainFailed, Severity: Attention, Kind: KindPod, Name: p.pod.Name, Since: p.pod.CreatedAt,
		Message: fmt.Sprintf("Drain pod %d of ordinal %d %s; the data stays, and another one follows.", attempt, p.ordinal, what), Remedy: remedy}
}

func blockDrainLost(p *drainPlace, attempt int32, begun, next time.Time) Block {
	return Block{Code: BlockDrainFailed, Severity: Attention, Kind: KindPod, Name: p.name, Since: begun, NotBefore: next,
		Message: fmt.Sprintf("Drain pod %d of ordinal %d is gone before it was done; the data stays, and another one follows.", attempt, p.ordinal),
		Remedy:  "Look at who takes it away: kubectl get events."}
}

// failureOf says what is wrong with a drain pod that has ended and not drained, and what would help. Of its containers so many were
// given a token, and so many have handed it back.
func failureOf(p *Pod, proof bool, given, back int) (what, remedy string) {
	switch {
	case p.Phase == PodFailed:
		return "has failed", "Look at kubectl logs " + p.Name + "; a corrected template holds from the next drain pod on."
	case !proof:
		return "has succeeded while it was stopped from outside (condition DisruptionTarget), so that it may have been in the middle",
			"If its program ends with 0 on SIGTERM, have it end with another exit code, or set " + policyProof + " to Token."
	case given == 0:
		return "has succeeded, and had no token to hand back as " + policyProof + " asks", "The next one is given a token."
	}
	return fmt.Sprintf("has succeeded, and %d of %d containers handed their token back as %s asks", back, given, policyProof),
		"Have each container end with printf %s \"$" + tokenVariable + "\" > /dev/termination-log once it is done; a corrected template holds from the next drain pod on."
}

// blockNameNotFree is blockPodNameTaken for a drain pod.
func blockNameNotFree(p *drainPlace, whose string, earlier *Owner) Block {
	b := blockPodNameTaken(p.stranger, whose, earlier)
	b.Message += fmt.Sprintf(" Ordinal %d is drained once it is gone.", p.ordinal)
	b.Remedy = "Delete that pod."
	return b
}

// Claims.

func blockMarkedByAnother(c *Claim) Block {
	return Block{Code: BlockDrainLeftover, Severity: Info, Kind: KindClaim, Name: c.Name,
		Message: "The claim is marked as another set's (" + short(c.drainSet()) + "), and is not drained for this one.", Remedy: ifThatSetIsGone}
}

func blockLeftToAnother(c *Claim) Block {
	return Block{Code: BlockDrainLeftover, Severity: Info, Kind: KindClaim, Name: c.Name,
		Message: fmt.Sprintf("The claim is marked as another set's (%s) and is left to it.", short(c.drainSet())), Remedy: ifThatSetIsGone}
}

func blockLeftover(c *Claim, template string, ordinal int32) Block {
	return Block{Code: BlockDrainLeftover, Severity: Info, Kind: KindClaim, Name: c.Name,
		Message: fmt.Sprintf("The claim was outside the range before the drain policy covered it, so it is not drained as claim %s of ordinal %d.", short(template), ordinal),
		Remedy:  "Delete it by hand, or set " + policyLeftovers + " to true to have such claims drained."}
}

// blockUnprotected names the first claim that would go with an owner. So many would go with the set, and so many with pods. putBack:
// another controller puts the reference back.
func blockUnprotected(s *Set, first *Claim, owner *Owner, withSet, withPods int, putBack bool) Block {
	ofSet := owner.UID == s.UID
	b := Block{Code: BlockDrainUnprotected, Severity: Attention, Kind: KindClaim, Name: first.Name,
		Message: fmt.Sprintf("The claim belongs to %s %s and would be deleted with it before it is drained.", short(owner.Kind), short(owner.Name))}
	same, other, whose := withPods, withSet, "the set"
	if ofSet {
		same, other, whose = withSet, withPods, "pods"
	}
	if same > 1 {
		b.Message += sameHolds(same-1, "claim")
	}
	if other > 0 {
		b.Message += " " + plural(other, "claim") + " would go with " + whose + "."
	}
	const byHand = "remove that owner reference by hand"
	switch keep := whatToKeep(withSet, withPods); {
	case !s.DeletedAt.IsZero():
		b.Remedy = "To keep the data, " + byHand + " at once."
	case putBack && ofSet:
		b.Remedy = keep + untilRetain("whenDeleted")
	case putBack:
		b.Remedy = keep + untilRetain("whenScaled")
	default:
		b.Remedy = keep + " The reference is being removed; if it stays, see what refuses that, or " + byHand + "."
	}
	return b
}

func whatToKeep(withSet, withPods int) (keep string) {
	if withPods > 0 {
		keep = "Do not delete the pod before this has passed."
	}
	if withSet > 0 {
		keep = strings.TrimSpace(keep + " Do not delete the set before this has passed, or delete it with --cascade=orphan, which keeps all claims.")
	}
	return keep
}

func untilRetain(field string) string {
	return " Set persistentVolumeClaimRetentionPolicy." + field + " to Retain: until then the set's own controller puts the reference back."
}

// claimMissing is a block about a claim without which an ordinal cannot be drained.
func claimMissing(name string, since time.Time, message, remedy string) Block {
	return Block{Code: BlockDrainClaimMissing, Severity: Attention, Kind: KindClaim, Name: name, Since: since, Message: message, Remedy: remedy}
}

func blockClaimGoes(c *Claim, ordinal int32) Block {
	return claimMissing(c.Name, c.DeletedAt, fmt.Sprintf("The claim is being deleted, so ordinal %d cannot be drained.", ordinal),
		"Once it is gone create it anew, or delete the ordinal's other claims to give its data up.")
}

func blockClaimOfAnother(c *Claim, ordinal int32) Block {
	return claimMissing(c.Name, time.Time{},
		fmt.Sprintf("The claim is marked as another set's (%s), so ordinal %d cannot be drained.", short(c.drainSet()), ordinal), ifThatSetIsGone)
}

func blockNoClaim(name string, ordinal int32) Block {
	return claimMissing(name, time.Time{}, fmt.Sprintf("The claim does not exist, so ordinal %d cannot be drained.", ordinal),
		"Create the claim, or delete the ordinal's other claims to give its data up.")
}
