package engine

import (
	"fmt"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

// whyClaimStays is the remedy for a claim that does not go.
const whyClaimStays = "If it stays, check its finalizers and the pods that still use it."

func blockClaimTerminating(c *model.Claim, pod string) model.Block {
	return model.Block{Code: model.BlockClaimTerminating, Severity: model.Wait, Kind: model.KindClaim, Name: c.Name, Since: c.DeletedAt,
		Message: fmt.Sprintf("The claim is being deleted. Pod %s gets a new one once it is gone.", prose.Short(pod)),
		Remedy:  whyClaimStays}
}

// code is that of the block about a claim in danger.
func (of danger) code() model.BlockCode {
	switch of {
	case dangerGoing:
		return model.BlockClaimTerminating
	case dangerEarlierSet:
		return model.BlockClaimStale
	}
	return model.BlockClaimLost
}

// blockClaimInDanger is for a claim of a pod that is there: of says why the claim, or its data, would go with the pod.
func blockClaimInDanger(name string, c *model.Claim, p *model.Pod, of danger) model.Block {
	b := model.Block{Code: of.code(), Severity: model.Attention, Kind: model.KindClaim, Name: name}
	stays := " Pod " + p.Name + " still uses it, so the pod is not deleted."
	if p.HasEnded() {
		stays = " Pod " + p.Name + " has ended and no longer holds it."
	}
	goes := "delete the pod: " + prose.Kubectl("delete", "pod", p.Name)
	switch of {
	case dangerGoing:
		b.Since = c.DeletedAt
		b.Message = "The claim is being deleted, and this cannot be undone. Its data goes with it, unless the volume is retained." + stays
		b.Remedy = keepVolume + " Then " + goes
		if p.HasEnded() {
			b.Remedy = keepVolume
		}
	case dangerEarlierSet:
		b.Message = "The claim is owned by an earlier set of this name, and is deleted with it." + stays
		b.Remedy = "To keep the data, remove that owner reference."
	case dangerLost:
		b.Message = "The claim has lost its volume, so a new pod could not start." + stays
		b.Remedy = "Restore the volume. To start the ordinal with an empty one, delete the claim, and then " + goes
	case dangerMissing:
		b.Message = "The claim is missing, so a new pod would start with an empty volume." + stays
		b.Remedy = "Save the data, or create the claim for the same volume again. To start the ordinal with an empty one, " + goes
	}
	return b
}

func blockClaimLost(c *model.Claim, pod string) model.Block {
	return model.Block{Code: model.BlockClaimLost, Severity: model.Attention, Kind: model.KindClaim, Name: c.Name,
		Message: fmt.Sprintf("The claim has lost its volume, so pod %s cannot start.", prose.Short(pod)),
		Remedy:  "Restore the volume, or delete the claim to start the ordinal with an empty volume."}
}

// blockClaimStale is for a claim that goes with an earlier pod of the name, or is taken back from it.
func blockClaimStale(c *model.Claim, pod string, scaledAway bool) model.Block {
	b := model.Block{Code: model.BlockClaimStale, Severity: model.Wait, Kind: model.KindClaim, Name: c.Name, Since: c.DeletedAt,
		Message: "The claim is owned by an earlier pod " + pod + ", which was scaled down, and is deleted with it.",
		Remedy:  "If it stays, remove the owner reference to the earlier pod to keep the data, or delete the claim."}
	switch {
	case !c.DeletedAt.IsZero():
		b.Remedy = whyClaimStays
	case !scaledAway:
		b.Message = "The claim is owned by an earlier pod " + pod + ", and would be deleted with it. A new pod is created once that reference is removed."
	}
	return b
}

// blockClaimOfEarlierSet is for a claim that goes with an earlier set of the name.
func blockClaimOfEarlierSet(c *model.Claim, pod string) model.Block {
	return model.Block{Code: model.BlockClaimStale, Severity: model.Wait, Kind: model.KindClaim, Name: c.Name,
		Message: fmt.Sprintf("The claim is owned by an earlier set of this name, and is deleted with it. Pod %s gets a new one once it is gone.", prose.Short(pod)),
		Remedy:  "If it stays, remove the owner reference to the earlier set to keep the data, or delete the claim."}
}

// blockClaimOfNamesake is for a claim that goes with a set of this name and another kind.
func blockClaimOfNamesake(c *model.Claim, pod string, namesake *model.Owner) model.Block {
	return model.Block{Code: model.BlockClaimStale, Severity: model.Wait, Kind: model.KindClaim, Name: c.Name,
		Message: fmt.Sprintf("The claim is owned by %s, and is deleted with it. Pod %s gets a new one once it is gone.", namesakeOf(namesake), prose.Short(pod)),
		Remedy:  "If it stays, remove that owner reference to keep the data, or delete the claim."}
}

func blockSharedClaims(s *model.Set, first *model.ClaimNeighbour) model.Block {
	return about(s, model.BlockInvalidPolicy, model.Attention, fmt.Sprintf("Set %s in this namespace uses the same claim names (%s), so whenScaled and whenDeleted could delete its data. No claim is deleted.",
		prose.Short(first.Set), prose.Short(first.ClaimTemplate+"-"+s.Name+"-0")),
		"Delete one of the sets and take care of its claims, or set whenScaled and whenDeleted to Retain.")
}

func blockClaimForeign(c *model.Claim) model.Block {
	return model.Block{Code: model.BlockClaimForeignController, Severity: model.Attention, Kind: model.KindClaim, Name: c.Name,
		Message: "Another object controls the claim, so the retention policy is not applied to it.",
		Remedy:  "Remove the other controller from the claim's owner references, or leave the claim to it."}
}

// blockClaimGoesWithSet is for claims that the set and its pods own against the retention policy; more is how many others there are.
func blockClaimGoesWithSet(s *model.Set, first *model.Claim, more int, paused bool) model.Block {
	b := model.Block{Code: model.BlockClaimStale, Severity: model.Attention, Kind: model.KindClaim, Name: first.Name, Since: first.DeletedAt}
	switch {
	case s.DeletedAt.IsZero():
		b.Message = "The set or its pod owns the claim, so the claim is deleted with it, although the retention policy keeps the claim. The set is paused, so the owner stays."
		b.Remedy = "To keep the data, do not delete the set before the pause has ended."
	case !first.DeletedAt.IsZero():
		b.Message = "The claim is being deleted with the set, which owns it, although the retention policy keeps the claim."
		b.Remedy = keepVolume
	default:
		b.Message = "The set is being deleted, and it or its pod owns the claim, so the claim is deleted with it, although the retention policy keeps the claim."
		b.Remedy = "To keep the data, remove that owner reference now. " + keepVolumeToo
	}
	if more > 0 {
		b.Message += prose.SameHolds(more, "claim")
	}
	return b
}

const (
	keepVolume    = "To keep the data, set persistentVolumeReclaimPolicy of the claim's volume to Retain before the claim is gone."
	keepVolumeToo = "If the claim is being deleted by then, set persistentVolumeReclaimPolicy of its volume to Retain."
)

// blockClaimGoesWithOther is for claims that something else owns against the retention policy. beside is how many owners the claim has beside this one: the
// garbage collector deletes a claim once its last owner is gone.
func blockClaimGoesWithOther(c *model.Claim, owner *model.Owner, beside, more int) model.Block {
	name := prose.Short(owner.Kind) + " " + prose.Short(owner.Name)
	b := model.Block{Code: model.BlockClaimForeignController, Severity: model.Attention, Kind: model.KindClaim, Name: c.Name,
		Message: name + " owns the claim, so the claim is deleted with it, although the retention policy keeps the claim. Setplan leaves this owner alone.",
		Remedy:  "To keep the data when " + name + " is deleted, remove its owner reference from the claim."}
	if beside > 0 {
		b.Message = name + " and " + prose.MoreOf(beside, "object") + " own the claim, so the claim is deleted once all of them are gone, although the retention policy keeps the claim. Setplan leaves these owners alone."
		b.Remedy = "To keep the data when they are deleted, remove all of these owner references from the claim."
	}
	if more > 0 {
		b.Message += " " + prose.MoreOf(more, "claim") + " would go with owners like this one."
	}
	return b
}

func blockClaimOfEarlier(c *model.Claim) model.Block {
	return model.Block{Code: model.BlockClaimStale, Severity: model.Wait, Kind: model.KindClaim, Name: c.Name,
		Message: "The claim is owned by an earlier set or pod of this name. The retention policy is not applied to it until the garbage collector has handled it.",
		Remedy:  "If it stays, remove that owner reference to keep the data, or delete the claim."}
}

func blockClaimOfReplicaGone(c *model.Claim) model.Block {
	return model.Block{Code: model.BlockClaimStale, Severity: model.Wait, Kind: model.KindClaim, Name: c.Name,
		Message: "The claim is owned by the replica that was deleted, so the garbage collector deletes it, drained or not.",
		Remedy:  "To keep the data, remove that owner reference."}
}
