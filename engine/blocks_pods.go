package engine

import (
	"fmt"
	"time"
)

// whyItStays is the remedy for a pod that does not go.
const whyItStays = "If it stays: look at its finalizers and at its node; a pod of a lost node goes only when the node does."

// waiting is a block about a pod that the set waits for.
func waiting(code BlockCode, p *Pod, since time.Time, message, remedy string) Block {
	return Block{Code: code, Severity: Wait, Kind: KindPod, Name: p.Name, Since: since, Message: message, Remedy: remedy}
}

func blockPodTerminating(p *Pod) Block {
	return waiting(BlockPodTerminating, p, p.DeletedAt, "The pod is being deleted, and the set waits until it is gone.", whyItStays)
}

func blockCondemnedTerminating(p *Pod) Block {
	return waiting(BlockPodTerminating, p, p.DeletedAt, "The pod is being deleted; the next one goes once it is gone.", whyItStays)
}

func blockEndedTerminating(p *Pod) Block {
	return waiting(BlockPodEnded, p, p.DeletedAt, "The pod has ended and is being deleted; it is created anew once it is gone.", whyItStays)
}

// blockPodNotReady says so. stuck is a pod that no update reaches while it is not ready.
func blockPodNotReady(p *Pod, stuck bool) Block {
	b := waiting(BlockPodNotReady, p, p.ReadyChangedAt, "The pod is "+phaseWord(p.Phase)+" and not ready.",
		"Look at the pod's events, conditions and logs: kubectl describe pod "+p.Name+".")
	if b.Since.IsZero() {
		b.Since = p.CreatedAt
	}
	if stuck {
		b.Remedy += " It is not at the update revision, and no update begins while it is not ready: once the template is mended, kubectl delete pod " + p.Name + "."
	}
	return b
}

func blockPodNotAvailable(p *Pod, minReadySeconds int32) Block {
	b := waiting(BlockPodNotAvailable, p, p.ReadyChangedAt,
		fmt.Sprintf("The pod is ready, and counts as available after minReadySeconds (%d).", minReadySeconds), "")
	if at, ok := p.availableAt(time.Duration(minReadySeconds) * time.Second); ok {
		b.NotBefore = at
	}
	return b
}

// How blockStaysForClaims begins.
const (
	endedIsReplaced    = "The pod has ended. It is replaced"
	outdatedIsReplaced = "The pod is outdated. It is replaced"
	condemnedGoes      = "The pod's ordinal is outside the range. It goes"
)

// blockRepairStays is blockStaysForClaims for a pod that is to be repaired; why says what is wrong with it.
func blockRepairStays(p *Pod, why string) Block {
	return blockStaysForClaims(p, BlockRepairWaits, why+" It is replaced")
}

// blockStaysForClaims is why a pod that is to be deleted stays: begin says what is the matter with it, and why it goes.
func blockStaysForClaims(p *Pod, code BlockCode, begin string) Block {
	return waiting(code, p, p.CreatedAt, begin+" once no claim refers to it, because such a claim would be deleted with it.", "")
}

// blockScaleDownWaits says that a pod outside the range waits for first, which may be itself. why is the block that says why
// first is not available, or nil.
func blockScaleDownWaits(p, first *Pod, why *Block) Block {
	which := "this pod, which is lower,"
	if p == first {
		which = "it"
	}
	b := Block{Code: BlockScaleDownWaitsForPod, Severity: Wait, Kind: KindPod, Name: first.Name, Since: first.CreatedAt,
		Message: "Pod " + p.Name + " is outside the range and goes once " + which + " is available.",
		Remedy:  "Look at why this pod is not available: kubectl describe pod " + first.Name + "."}
	if why != nil {
		b.Since, b.NotBefore = why.Since, why.NotBefore
	}
	if first.ended() && !first.terminating() {
		b.Severity = Attention
		b.Remedy = "A pod that has ended never becomes available: kubectl delete pod " + first.Name + "."
	}
	return b
}

// blockPodNameTaken is for a name that a stranger bears. One that is going makes room by itself, and so does one of an earlier set:
// that set is gone, since this one has its name.
func blockPodNameTaken(p *Pod, whose string, earlier *Owner) Block {
	b := Block{Code: BlockPodNameTaken, Severity: Attention, Kind: KindPod, Name: p.Name, Since: p.CreatedAt,
		Message: "A pod of this name exists and is not the set's: " + whose + ".",
		Remedy:  "Delete that pod, or give it the labels of the selector and no other controller, so that the set adopts it."}
	switch {
	case p.terminating():
		b.Severity, b.Since, b.Remedy = Wait, p.DeletedAt, whyItStays
		b.Message += " It is being deleted, and the set's own pod is created once it is gone."
	case earlier != nil:
		b.Severity = Wait
		b.Message += " That set is gone, and the garbage collector deletes its pods."
		b.Remedy = "If it stays: delete that pod, or remove its reference to the earlier " + short(earlier.Kind) + ", so that the set adopts it."
	}
	return b
}

func blockIdentity(p *Pod, message string) Block {
	return Block{Code: BlockIdentityMismatch, Severity: Attention, Kind: KindPod, Name: p.Name, Since: p.CreatedAt,
		Message: message, Remedy: "Delete the pod; the set creates it anew as it should be."}
}

func blockOddName(p *Pod, ordinal int32, name string) Block {
	return blockIdentity(p, "The name spells ordinal "+fmt.Sprint(ordinal)+" in another way than "+name+", and a pod cannot be renamed.")
}

func blockWrongVolumes(p *Pod) Block {
	return blockIdentity(p, "The pod does not use the claims of its ordinal, and the volumes of a pod cannot be changed.")
}

// blockUpdateWaits says for which pod the update waits. why is the block that says why it is not available, or nil.
func blockUpdateWaits(p *Pod, why *Block) Block {
	b := Block{Severity: Wait, Kind: KindPod, Name: p.Name}
	if why != nil {
		b = *why
	}
	b.Code = BlockUpdateWaitsForPod
	b.Message = "The update goes on with lower ordinals once this pod is available. " + b.Message
	return b
}

// blockUpdateBudget names the first pod that is held back, and the lowest that is not available, where there is one.
func blockUpdateBudget(held, lowest *Pod, unavailable, budget int) Block {
	b := Block{Code: BlockUpdateBudget, Severity: Wait, Kind: KindPod, Name: held.Name,
		Message: fmt.Sprintf("The pod waits to be updated: %s unavailable, and maxUnavailable allows %d.", are(unavailable, "pod"), budget)}
	if lowest != nil {
		b.Remedy = "Look at the pods that are not available, such as " + lowest.Name + "."
	}
	return b
}

func blockPartitionHeld(first *Pod, pods, partition int) Block {
	return Block{Code: BlockPartitionHeld, Severity: Info, Kind: KindPod, Name: first.Name,
		Message: fmt.Sprintf("%s held at an older revision, because the partition is %d.", are(pods, "pod"), partition),
		Remedy:  "Lower spec.updateStrategy.rollingUpdate.partition to update them."}
}

func blockOnDelete(first *Pod, pods int) Block {
	return Block{Code: BlockOnDelete, Severity: Info, Kind: KindPod, Name: first.Name,
		Message: fmt.Sprintf("%s outdated until somebody deletes them, because the strategy is OnDelete.", are(pods, "pod")),
		Remedy:  "Delete each pod when it suits you: kubectl delete pod " + first.Name + "."}
}

// blockRepairTooYoung says when a pod is repaired that has only just been created; why says what is wrong with it.
func blockRepairTooYoung(p *Pod, why string, at time.Time) Block {
	b := waiting(BlockRepairWaits, p, p.CreatedAt, why+fmt.Sprintf(" It is replaced once it is %s old, unless it gets ready before.", minRepairAge), "")
	b.NotBefore = at
	return b
}

func blockRepairWaitsFor(p, other *Pod, why string) Block {
	return waiting(BlockRepairWaits, p, p.CreatedAt, why+" It is replaced once pod "+other.Name+", which is being deleted, is gone.", whyItStays)
}
