package claims

import (
	"fmt"
	"time"

	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
	"github.com/setplan/setplan/engine/state"
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

// blockClaimInDanger warns of a claim that an existing pod uses; of says why the claim, or its data, would go with the pod.
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
		Message: fmt.Sprintf("The claim is owned by %s, and is deleted with it. Pod %s gets a new one once it is gone.", state.NamesakeOf(namesake), prose.Short(pod)),
		Remedy:  "If it stays, remove that owner reference to keep the data, or delete the claim."}
}

func blockSharedClaims(s *model.Set, first *model.ClaimNeighbour) model.Block {
	return state.About(s, model.BlockInvalidPolicy, model.Attention, fmt.Sprintf("Set %s in this namespace uses the same claim names (%s), so whenScaled and whenDeleted could delete its data. No claim is deleted.",
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

func BlockClaimOfReplicaGone(c *model.Claim) model.Block {
	return model.Block{Code: model.BlockClaimStale, Severity: model.Wait, Kind: model.KindClaim, Name: c.Name,
		Message: "The claim is owned by the replica that was deleted, so the garbage collector deletes it, drained or not.",
		Remedy:  "To keep the data, remove that owner reference."}
}

// BlockHeld is why a pod that is to be deleted stays where only a person can say that it goes; begin is as in BlockStaysForClaims.
func BlockHeld(p *model.Pod, code model.BlockCode, begin, claim string) model.Block {
	return state.Waiting(code, p, p.CreatedAt, begin+" once nothing is wrong with claim "+prose.Short(claim)+".", "")
}

// BlockStaysForClaims is why a pod that is to be deleted stays: begin says what is the matter with it, and why it goes.
func BlockStaysForClaims(p *model.Pod, code model.BlockCode, begin string) model.Block {
	return state.Waiting(code, p, p.CreatedAt, begin+" once it owns no claim: the garbage collector would delete such a claim with it.", "")
}

// The blocks about claims that follow their templates.

// blockClaimShrinks names the first of the claims.
func blockClaimShrinks(of []*claimLook, want *claimtemplate.ClaimWant) model.Block {
	is := of[0].is
	has, least := is.Capacity, "more than "+prose.Short(is.Capacity)
	if of[0].grown || !of[0].growing {
		has, least = is.Request, "at least "+prose.Short(is.Request) // the capacity is behind until the file system has grown
	}
	return model.Block{Code: model.BlockClaimShrinks, Severity: model.Attention, Kind: model.KindClaim, Name: of[0].claim.Name,
		Message: fmt.Sprintf("The claim requested %s and has %s, but its template now requests %s. Volumes cannot shrink, so the claim stays as it is.",
			prose.Short(is.Request), prose.Short(has), prose.Short(want.Request)) + others(of),
		Remedy: "Request " + least + ". To shrink a volume, copy its data to a new one."}
}

// others says how many claims a block does not name.
func others(of []*claimLook) string {
	if len(of) == 1 {
		return ""
	}
	return prose.SameHolds(len(of)-1, "claim")
}

func blockClaimChanges(l *claimLook) model.Block {
	message := fmt.Sprintf("The volume of pod %s is growing from %s to %s.", prose.Short(l.pod), prose.OrNone(l.is.Capacity), prose.Short(l.is.Request))
	if !l.growing {
		message = fmt.Sprintf("The volume of pod %s is changing to the volume attributes class %s.", prose.Short(l.pod), prose.Short(l.is.AttributesClass))
	}
	return model.Block{Code: model.BlockClaimChanges, Severity: model.Wait, Kind: model.KindClaim, Name: l.claim.Name, Message: message, Since: l.since}
}

// blockClaimChangeFailed names the first of the claims.
func blockClaimChangeFailed(of []*claimLook) model.Block {
	l := of[0]
	message := fmt.Sprintf("The volume of pod %s could not grow: %s", prose.Short(l.pod), prose.Answer(l.Failure))
	if !l.growthFails() {
		message = fmt.Sprintf("The volume of pod %s could not change to the volume attributes class %s: %s", prose.Short(l.pod), prose.Short(l.is.AttributesClass), prose.Answer(l.Unmodified))
	}
	return model.Block{Code: model.BlockClaimChangeFailed, Severity: model.Attention, Kind: model.KindClaim, Name: l.claim.Name, Since: l.since,
		Message: message + others(of) + " No other claim of the template is changed for now.",
		Remedy:  "Check the claim's events and the storage provider. Another size or class is tried as soon as the set requests it."}
}

// blockClaimDropped is about a claim that does not ask for what it was given.
func blockClaimDropped(l *claimLook, want *claimtemplate.ClaimWant) model.Block {
	return model.Block{Code: model.BlockClaimChangeFailed, Severity: model.Attention, Kind: model.KindClaim, Name: l.claim.Name,
		Message: fmt.Sprintf("An earlier plan requested %s, but the claim requests %s: it was changed afterwards, or the API server dropped the change. It stays as it is.",
			prose.Short(want.Request), prose.Short(l.is.Request)),
		Remedy: "To request it again: " + prose.Kubectl("annotate", "pvc", l.claim.Name, claimtemplate.AnnotationClaimRequest+"-")}
}

// blockClaimsWait names the first of the claims that wait; before is the claim that goes first, nil where several may change at once.
func blockClaimsWait(held []*claimLook, before *model.Claim, failing []*claimLook, limit int) model.Block {
	why := fmt.Sprintf("at most %s at once", prose.Plural(limit, "claim")+" change")
	switch {
	case len(failing) > 0:
		why = "the change of claim " + prose.Short(failing[0].claim.Name) + " has failed"
	case before != nil:
		why = "claim " + prose.Short(before.Name) + " is changed first"
	case limit == 1:
		why = "one claim changes at a time"
	}
	return model.Block{Code: model.BlockClaimChangeWaits, Severity: model.Wait, Kind: model.KindClaim, Name: held[0].claim.Name,
		Message: "The claim differs from its template and waits: " + why + "." + others(held)}
}

func blockClaimUnbound(l *claimLook) model.Block {
	return model.Block{Code: model.BlockClaimChangeWaits, Severity: model.Wait, Kind: model.KindClaim, Name: l.claim.Name,
		Message: "The claim differs from its template, but can change only once it is bound to a volume."}
}

func blockClaimCools(l *claimLook, until time.Time, again bool) model.Block {
	why := "claim-update-cooldown has to pass before the next change."
	if again {
		why = "its class is requested again after a minute."
	}
	return model.Block{Code: model.BlockClaimChangeWaits, Severity: model.Wait, Kind: model.KindClaim, Name: l.claim.Name, NotBefore: until,
		Message: "The claim differs from its template, but was changed a short while ago: " + why}
}

func blockClaimNotOurs(c *model.Claim, shared bool) model.Block {
	why := "another object controls it"
	if shared {
		why = "another set of the namespace uses the same claim names"
	}
	return model.Block{Code: model.BlockClaimChangeWaits, Severity: model.Attention, Kind: model.KindClaim, Name: c.Name,
		Message: "The claim differs from its template, but stays as it is because " + why + ".",
		Remedy:  "Change the claim by hand, or make sure that only this set uses it."}
}

// blockClaimFixed names the first of the claims whose storage class lets no volume grow. The API server would refuse the write.
func blockClaimFixed(of []*claimLook) model.Block {
	return model.Block{Code: model.BlockClaimChangeWaits, Severity: model.Attention, Kind: model.KindClaim, Name: of[0].claim.Name,
		Message: "The template requests more storage, but storage class " + prose.Short(of[0].is.Class) + " does not let volumes grow. The claim stays as it is." + others(of),
		Remedy: "If the driver cannot grow volumes, set the old size again. If it can, allow it: " +
			prose.Kubectl("patch", "storageclass", of[0].is.Class, "-p", `{"allowVolumeExpansion":true}`)}
}

// blockClaimUnknown is about an adapter that can change claims and does not say what they ask for.
func blockClaimUnknown(c *model.Claim) model.Block {
	return model.Block{Code: model.BlockClaimChangeWaits, Severity: model.Attention, Kind: model.KindClaim, Name: c.Name,
		Message: "The adapter does not report what the claim requests, so the claim stays as it is.", Remedy: "Use an adapter release that reports it."}
}

// The blocks about file systems that grow where a pod mounts them.

func blockFileSystem(c *model.Claim, severity model.Severity, message string) model.Block {
	return model.Block{Code: model.BlockFileSystemResize, Severity: severity, Kind: model.KindClaim, Name: c.Name, Message: message}
}

func blockFileSystemMounts(c *model.Claim, pod string) model.Block {
	return blockFileSystem(c, model.Wait, "The volume has grown. Its file system grows once pod "+prose.Short(pod)+" mounts it.")
}

func blockFileSystemGrows(c *model.Claim, pod string, until time.Time) model.Block {
	b := blockFileSystem(c, model.Wait, "The volume of pod "+prose.Short(pod)+" has grown. The kubelet still has time to grow the file system.")
	b.NotBefore = until
	return b
}

func blockFileSystemRecreates(c *model.Claim, pod string) model.Block {
	return blockFileSystem(c, model.Wait, "The volume of pod "+prose.Short(pod)+" has grown, but its file system does not grow while it is mounted. The pod is recreated within the update budget.")
}

func blockFileSystemStays(c *model.Claim, pod string) model.Block {
	b := blockFileSystem(c, model.Attention, "The volume of pod "+prose.Short(pod)+" has grown, but its file system has not.")
	b.Remedy = "If the pod has started since the volume grew, check its events. To recreate pods for every claim, set claim-update-policy to InPlaceOrRecreate. " +
		"To recreate this one within the update budget: " + inplace.Recreation(pod)
	return b
}

// causeClaimTemplate says what of a claim changes.
func causeClaimTemplate(l *claimLook, want *claimtemplate.ClaimWant) model.Cause {
	why := "The claim lacks labels or annotations of its template."
	switch {
	case l.now && (l.grows || l.lowers):
		why = fmt.Sprintf("The claim requests %s, and its template requests %s.", prose.Short(l.is.Request), prose.Short(want.Request))
	case l.now:
		why = fmt.Sprintf("The claim has the volume attributes class %s, and its template has %s.", prose.OrNone(l.is.AttributesClass), prose.Short(want.Class))
	}
	return model.Cause{Code: model.CauseClaimTemplate, Message: why}
}

var causeClaimKept = model.Cause{Code: model.CauseRetention, Message: "The set is being deleted, and the retention policy keeps the claim, so the set and its pod no longer own it."}

var causeForeignOwner = model.Cause{Code: model.CauseRetentionForeignController, Message: "Another object owns the claim too, so the set's owner references are removed."}

func causeRetention(s *model.Set) model.Cause {
	return model.Cause{Code: model.CauseRetention, Message: fmt.Sprintf("The claim's owners do not match the retention policy: whenScaled %s, whenDeleted %s.",
		orRetain(s.WhenScaled), orRetain(s.WhenDeleted))}
}

var causeSharedClaim = model.Cause{Code: model.CauseRetention, Message: "Another set also uses the claim, so neither set owns it."}

func orRetain(policy string) string {
	if policy == "Delete" {
		return policy
	}
	return "Retain"
}
