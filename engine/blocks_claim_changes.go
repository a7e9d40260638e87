package engine

import (
	"fmt"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

// The blocks about claims that follow their templates.

func blockInvalidClaimPolicy(s *model.Set, of asked, wanted string) model.Block {
	return about(s, model.BlockInvalidPolicy, model.Attention, mustBe(subject(of), of.text, wanted)+claimsStay, "Set it to "+wanted+", or remove it.")
}

// claimsStay ends the sentence about a policy of claims that cannot be used.
const claimsStay = " Until this is fixed, claims stay as they are."

func blockInvalidClaimTemplates(s *model.Set, err error) model.Block {
	return about(s, model.BlockInvalidPolicy, model.Attention, fmt.Sprintf("Annotation %s is invalid: %v.", annotationClaimTemplates, err)+claimsStay,
		"Correct the annotation, or remove it.")
}

func blockPatchShrinks(s *model.Set, template, asks, own string) model.Block {
	return about(s, model.BlockClaimShrinks, model.Attention, fmt.Sprintf("Annotation %s requests %s for the claims of template %s, less than the %s in spec.volumeClaimTemplates.",
		annotationClaimTemplates, prose.Short(asks), prose.Short(template), prose.Short(own))+claimsStay,
		"Request at least "+prose.Short(own)+", or remove the size from the annotation. To shrink a volume, copy its data to a new one.")
}

// blockStillMounted is about a claim template that is removed too early.
func blockStillMounted(s *model.Set, template string) model.Block {
	return about(s, model.BlockInvalidPolicy, model.Attention, fmt.Sprintf("Annotation %s removes the claim template %s, but the pod template still mounts its volume. Until this is fixed, the claim template stays.",
		annotationClaimTemplates, prose.Short(template)), "Remove the mount from the pod template, or keep the claim template in the annotation.")
}

// blockAddedStillAsked is about one that the set has added and that it adds no more.
func blockAddedStillAsked(s *model.Set, template string) model.Block {
	return about(s, model.BlockInvalidPolicy, model.Attention, fmt.Sprintf("Annotation %s no longer adds the claim template %s, but the pod template still has its volume. Until this is fixed, pods get the claim as their revision defines it.",
		annotationClaimTemplates, prose.Short(template)), "Remove the volume from the pod template, or add the claim template to the annotation again.")
}

// blockAddedNotShown is about an adapter that does not know that claim templates are added.
func blockAddedNotShown(s *model.Set) model.Block {
	return about(s, model.BlockCapabilityMissing, model.Attention, fmt.Sprintf("The adapter does not report the claims of the claim templates that annotation %s adds or has added.", annotationClaimTemplates)+claimsStay,
		"Use an adapter that supports it.")
}

// blockClaimShrinks names the first of the claims.
func blockClaimShrinks(of []*claimLook, want *claimWant) model.Block {
	is := of[0].is
	has, least := is.Capacity, "more than "+prose.Short(is.Capacity)
	if of[0].grown || !of[0].growing {
		has, least = is.Request, "at least "+prose.Short(is.Request) // the capacity is behind until the file system has grown
	}
	return model.Block{Code: model.BlockClaimShrinks, Severity: model.Attention, Kind: model.KindClaim, Name: of[0].claim.Name,
		Message: fmt.Sprintf("The claim requested %s and has %s, but its template now requests %s. Volumes cannot shrink, so the claim stays as it is.",
			prose.Short(is.Request), prose.Short(has), prose.Short(want.request)) + others(of),
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
	message := fmt.Sprintf("The volume of pod %s could not grow: %s", prose.Short(l.pod), prose.Answer(l.failure))
	if !l.growthFails() {
		message = fmt.Sprintf("The volume of pod %s could not change to the volume attributes class %s: %s", prose.Short(l.pod), prose.Short(l.is.AttributesClass), prose.Answer(l.unmodified))
	}
	return model.Block{Code: model.BlockClaimChangeFailed, Severity: model.Attention, Kind: model.KindClaim, Name: l.claim.Name, Since: l.since,
		Message: message + others(of) + " No other claim of the template is changed for now.",
		Remedy:  "Check the claim's events and the storage provider. Another size or class is tried as soon as the set requests it."}
}

// blockClaimDropped is about a claim that does not ask for what it was given.
func blockClaimDropped(l *claimLook, want *claimWant) model.Block {
	return model.Block{Code: model.BlockClaimChangeFailed, Severity: model.Attention, Kind: model.KindClaim, Name: l.claim.Name,
		Message: fmt.Sprintf("An earlier plan requested %s, but the claim requests %s: it was changed afterwards, or the API server dropped the change. It stays as it is.",
			prose.Short(want.request), prose.Short(l.is.Request)),
		Remedy: "To request it again: " + prose.Kubectl("annotate", "pvc", l.claim.Name, annotationClaimRequest+"-")}
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
		"To recreate this one within the update budget: " + recreation(pod)
	return b
}
